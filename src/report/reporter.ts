/** The reporters by name, and the place that each writes to by default. */
import type { AuditReport } from './audit-report.ts';
import { githubReport } from './github-report.ts';
import { htmlReport } from './html/html-report.ts';
import { jsonReport } from './json-report.ts';
import { junitReport } from './junit-report.ts';
import { markdownReport } from './markdown-report.ts';
import { sarifReport } from './sarif-report.ts';

interface Reporter {
  /** Relative to the crawl folder; `-` is standard output. */
  readonly place: string;
  /** @param crawlFolder the way from the folder of the report to that of the crawl, with slashes; null where there is none */
  readonly render: (report: AuditReport, crawlFolder: string | null) => string;
}

const NAMES = ['json', 'html', 'junit', 'sarif', 'markdown', 'github'] as const;
export type ReporterName = (typeof NAMES)[number];

/** Reporters that write files or annotations; `list` is the terminal's own. */
export const REPORTERS: Readonly<Record<ReporterName, Reporter>> = {
  json: { place: 'report/results.json', render: jsonReport },
  html: { place: 'report/index.html', render: htmlReport },
  junit: { place: 'report/junit.xml', render: junitReport },
  sarif: { place: 'report/results.sarif', render: sarifReport },
  markdown: { place: 'report/summary.md', render: markdownReport },
  github: { place: '-', render: githubReport },
};

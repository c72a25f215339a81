import type { ReportData } from '../../../src/model/report-data.ts';
import { listFindings } from '../finding-list.ts';
import { listPages } from '../page-list.ts';

const text = document.getElementById('report-data')?.textContent ?? '';
const data = JSON.parse(text) as ReportData;
listFindings(data);
listPages(data);

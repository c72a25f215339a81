/** `--fail-on`: gates with known names. */
import { CrawlError } from '../../base/errors.ts';
import { gateNames, gateTest, parseGate, type Gate } from '../../core/gates/gate.ts';
import type { RuleInfo } from '../../model/finding.ts';
import { nearest } from '../../base/nearest.ts';
import { safeText } from '../terminal/safe-text.ts';

/**
 * Reads the gates.
 * @param rules of the audit
 * @throws {CrawlError} USAGE for a text that is no gate, and for an unknown name
 */
export function readGates(texts: readonly string[], rules: readonly RuleInfo[]): readonly Gate[] {
  return texts.flatMap(separate).map((text) => {
    const shown = JSON.stringify(safeText(text).slice(0, 200));
    const gate = parseGate(text);
    if (gate === null) throw refusal(`${shown} is not accepted`);
    if (gateTest(gate, rules) !== null) return gate;
    const similar = nearest(gate.name, gateNames(rules));
    throw refusal(
      `${shown} is no severity, category, rule or group${similar === null ? '' : `; did you mean ${similar}?`}`,
    );
  });
}

/** Splits several gates at commas; the name of a group may have commas and has a blank. */
function separate(text: string): readonly string[] {
  return text.includes(' ') && !/,\s/.test(text) ? [text] : text.split(',').map((part) => part.trim());
}

function refusal(what: string): CrawlError {
  return new CrawlError(
    'USAGE',
    `--fail-on: ${what}${what.endsWith('?') ? '' : '.'}\nAccepted: error, warning, notice, a category such as links, a rule, or a group, with the number of findings behind a colon: warning:10.`,
  );
}

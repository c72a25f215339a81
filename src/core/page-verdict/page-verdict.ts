/**
 * Decides whether a page shows the content of the site. A log-in page, a bot wall or an empty application says nothing about the page behind
 * it, and an audit that judged it would praise or blame the wrong page. Each reason needs two signs at least, words and form of the page,
 * because sites write about log-ins and errors as well.
 */
import type { NotJudgedReason } from '../../model/finding.ts';
import type { RecordOutcome } from '../../model/record.ts';
import { MARKS } from './verdict-words.ts';

/** The facts that the verdict is based on. Texts are cut before. */
interface VerdictFacts {
  readonly url: string;
  readonly outcome: RecordOutcome;
  readonly status: number | null;
  /** Its body broke off, or it was too large to be read whole. */
  readonly isCut: boolean;
  /** The page was still at work when its time was up. */
  readonly timedOut: boolean;
  /** Its scripts ran, and it showed nothing. */
  readonly isEmpty: boolean;
  /** Was the crawl signed in: by a header, by a stored state? */
  readonly signedIn: boolean;
  /** It shows the element by which the user tells pages that were loaded signed in. */
  readonly isMarked: boolean;
  /** Null where nothing of it was kept. */
  readonly document: DocumentSigns | null;
}

/** The signs that a document shows. */
export interface DocumentSigns {
  readonly title: string;
  readonly headings: readonly string[];
  /** The beginning of the visible text. */
  readonly text: string;
  readonly words: number;
  readonly passwordFields: number;
  /** Each form with a password field has several, so it asks for a new password. */
  readonly setsPasswords: boolean;
  /** Fields that a reader fills in. */
  readonly fields: number;
  readonly links: number;
  readonly hasScripts: boolean;
  /** Elements on which applications are mounted, without contents. */
  readonly emptyMounts: number;
  /** Elements that are marked as waiting: `aria-busy`, skeletons. */
  readonly placeholders: number;
  readonly canvases: number;
  /** Pictures, frames, canvases, media: a picture counts once, others twice. */
  readonly media: number;
  /** URLs of scripts and frames, and texts of inline scripts, cut. */
  readonly programs: string;
  /** It sends its readers to another page at once. */
  readonly forwards: boolean;
}

/** True where its contents are judged, else the reason why not. */
export function pageVerdict(page: VerdictFacts): true | NotJudgedReason {
  const { outcome, document } = page;
  const ofOutcome = OUTCOMES[outcome];
  if (ofOutcome !== null) return page.status === 401 || page.status === 407 ? signInReason(page) : ofOutcome;
  if (page.isCut) return 'cut';
  if (document === null) return 'not-stored';
  if (document.forwards) return 'forwarding';
  if (isChallenge(document)) return 'challenge';
  if (isConsentWall(page.url, document)) return 'consent-wall';
  if (isNotFound(document)) return 'soft-404';
  if (isError(document)) return 'error-page';
  if (isSignIn(page.url, document) && !isForMembers(page, document)) return signInReason(page);
  if (isWaiting(document)) return 'not-rendered-to-the-end';
  if (page.isEmpty || isEmptyApplication(document)) return 'empty-application';
  if (isDrawn(document)) return 'canvas';
  if (isForwardedByScript(document)) return 'forwarding';
  return page.timedOut && document.words < FEW_WORDS ? 'not-rendered-to-the-end' : true;
}

/** Outcomes whose pages are never read. */
const OUTCOMES: Readonly<Record<RecordOutcome, NotJudgedReason | null>> = {
  captured: null,
  redirected: null,
  'not-html': null,
  'http-error': 'error-page',
  unreachable: 'error-page',
  'timed-out': 'not-rendered-to-the-end',
  crashed: 'not-rendered-to-the-end',
  'too-large': 'cut',
};

/** A page of fewer words is only about its title. Arbitrary, as are the other limits; the test checks them with pages of both kinds. */
const FEW_WORDS = 120;
/** A form and its menu. */
const FORM_WORDS = 250;
const HARDLY_ANY = 15;

function signInReason({ signedIn }: VerdictFacts): NotJudgedReason {
  return signedIn ? 'signed-out' : 'log-in-page';
}

/** Forms for new passwords resemble log-ins, but without a sign-in there is none to be changed. */
function isForMembers({ signedIn, isMarked }: VerdictFacts, { setsPasswords }: DocumentSigns): boolean {
  return isMarked || (signedIn && setsPasswords);
}

function isChallenge({ title, headings, text, words, programs }: DocumentSigns): boolean {
  if (words > FEW_WORDS) return false;
  const says = [title, ...headings].some((line) => MARKS.challengeTitle.test(line));
  const asks = MARKS.challengeText.test(text);
  const runs = MARKS.challengeProgram.test(programs);
  return says ? asks || runs || words < 40 : asks && runs;
}

function isConsentWall(url: string, { title, text, words, headings }: DocumentSigns): boolean {
  if (words > FORM_WORDS) return false;
  if (/^https?:\/\/(?:consent|cmp|guce)\./.test(url)) return true;
  const named = [title, ...headings].some((line) => MARKS.consentTitle.test(line));
  const hits = text.match(MARKS.consentWords)?.length ?? 0;
  // half a page of cookies is a page about cookies; a wall has buttons and says little else
  return MARKS.consentButtons.test(text) && (named ? hits >= 1 : hits >= 3 && words < FEW_WORDS);
}

function isNotFound({ title, headings, words }: DocumentSigns): boolean {
  return words < FEW_WORDS && [title, ...headings].some((line) => MARKS.notFound.test(line));
}

function isError({ title, headings, text, words }: DocumentSigns): boolean {
  if (words >= FEW_WORDS * 3) return false;
  if ([title, ...headings].some((line) => MARKS.errorTitle.test(line)))
    return words < FEW_WORDS || MARKS.errorText.test(text);
  return words < FORM_WORDS && MARKS.errorText.test(text.slice(0, 300));
}

function isSignIn(url: string, { title, headings, words, passwordFields, fields }: DocumentSigns): boolean {
  const named = [title, ...headings].some((line) => MARKS.signInTitle.test(line));
  const path = /^https?:\/\/[^/?#]*([^?#]*)/.exec(url)?.[1] ?? '';
  if (passwordFields > 0) return words < FORM_WORDS && (named || MARKS.signInPath.test(path) || words < 60);
  return named && fields > 0 && words < 80;
}

function isWaiting({ text, words, placeholders, media }: DocumentSigns): boolean {
  if (words < HARDLY_ANY && MARKS.waiting.test(text.trim())) return true;
  return placeholders > 0 && words < 40 && media === 0;
}

/** Is there nothing but canvases that scripts draw on? */
function isDrawn({ canvases, hasScripts, media, words, links, fields }: DocumentSigns): boolean {
  return canvases > 0 && hasScripts && media === 2 * canvases && words + links + fields === 0;
}

function isEmptyApplication({ words, hasScripts, emptyMounts, media, links, fields, text }: DocumentSigns): boolean {
  if (!hasScripts) return false;
  if (words < 80 && MARKS.needsScripts.test(text)) return true;
  if (fields > 0) return false;
  // one picture may be the logo; a canvas or a frame counts twice
  return (words === 0 && media === 0) || (emptyMounts > 0 && words < HARDLY_ANY && links < 6 && media <= 1);
}

/** A page with fewer words says at most that it leads on. */
const SENTENCE = 20;
/** A script of the document itself that goes to another address. */
const LEAVES = /\blocation(?:\.href)?\s*=[^=]|\blocation\.(?:assign|replace)\s*\(/;

/** Does a script send its readers on, who see a sentence and perhaps a link for those without scripts? */
function isForwardedByScript({ programs, words, headings, links, fields, media }: DocumentSigns): boolean {
  return words < SENTENCE && headings.length + fields + media === 0 && links <= 1 && LEAVES.test(programs);
}

/**
 * Reads the texts that a script writes or joins, and their uses. Expressions are followed no further than a chain of `+`, a
 * template or `concat`, of texts and of names; anything else in one makes its text unknown. In one pass.
 */
import { FoundTexts, type ScriptReader } from '../texts/found-texts.ts';
import { OpenExpression, type Around } from './open-expression.ts';
import { ScriptScanner } from './script-scanner.ts';
import { meaningOf, takesParameters } from './script-words.ts';
import { UNKNOWN_PLACE } from '../texts/text-frame.ts';

/** Most nested brackets, deeper down only literals are reported; and most names in one of them. */
const DEPTH = 500;
const NAMES = 50;

/** @param source of a script; it need not be valid */
export function readScript(source: string, reader: ScriptReader): void {
  new Expressions(source, reader).run();
}

class Expressions {
  readonly #scanner: ScriptScanner;
  readonly #reader: ScriptReader;
  readonly #found: FoundTexts;
  readonly #at: OpenExpression;
  /** The next word is a member of the expression before it. */
  #member = false;
  /** The next word names a function or a class. */
  #naming = false;
  /** The names in the brackets that were closed last; parameters, if a body follows. */
  #group: readonly string[] = [];

  constructor(source: string, reader: ScriptReader) {
    this.#scanner = new ScriptScanner(source);
    this.#reader = reader;
    this.#found = new FoundTexts(this.#scanner, reader);
    this.#at = new OpenExpression(this.#found);
  }

  run(): void {
    const scanner = this.#scanner;
    while (this.#reader.full !== true) {
      const { before, word } = scanner;
      const token = scanner.next();
      if (token === 'end') break;
      if (token === 'comment') this.#reader.comment?.(scanner.text);
      else if (this.#at.depth >= DEPTH && token !== 'string') continue;
      else if (token === 'word') this.#word(scanner.text, { before, word });
      else if (token === 'sign') this.#sign(scanner.text, { before, word });
      else if (this.#at.depth < DEPTH) this.#literal(token, { before, word });
      else if (token === 'string') this.#found.literal(scanner.text, { ...UNKNOWN_PLACE, before, word }, false);
      if (token !== 'comment') this.#at.last = token === 'sign' || token === 'word' ? scanner.text : token;
    }
    this.#at.finish();
    this.#found.tellJoined();
  }

  #word(text: string, around: Around): void {
    if (this.#member) {
      this.#member = false;
      this.#at.chain.extend(text);
      return;
    }
    if (this.#naming) {
      this.#naming = false;
      this.#at.frame.scope.shadow(text);
      return;
    }
    if (this.#isKeyword(text)) return;
    if (this.#at.chain.state === 'operand') this.#at.finish(); // a line ends, or the word has a meaning in this place only
    const { names, takesApart, scope } = this.#at.frame;
    if (names !== null && names.length < NAMES) names.push(text);
    if (takesApart) scope.shadow(text);
    if (this.#at.declaring) {
      this.#at.declaring = false;
      scope.declare(text);
    }
    // a counter is no constant
    if (this.#at.last === '++' || this.#at.last === '--') scope.assigned(text).writes = 2;
    this.#at.operand(/^\d{1,9}$/.test(text) ? text : { name: text, scope }, around);
  }

  #isKeyword(text: string): boolean {
    const meaning = meaningOf(text);
    if (meaning === null) return false;
    if (this.#at.chain.state === 'plus') this.#at.chain.pieces = null;
    this.#at.finish();
    this.#at.binding = null;
    this.#at.declaring = meaning === 'declares';
    this.#naming = meaning === 'names';
    this.#at.changed = meaning === 'changes';
    if (this.#at.declaring) this.#at.frame.declares = true;
    // a statement begins, though nothing ended the one before
    if ((this.#at.declaring || this.#naming) && this.#at.frame.kind !== '(') this.#at.frame.scope = this.#at.frame.base;
    return true;
  }

  #literal(token: string, around: Around): void {
    const { text } = this.#scanner;
    this.#at.declaring = false;
    if (token !== 'string' && token !== 'value') this.#found.piece(text);
    if (token === 'string') {
      if (this.#at.chain.state === 'operand') this.#at.finish();
      // a text that is added to something is a piece
      const place = this.#at.placeOf(this.#at.chain.state === 'plus' ? { ...around, before: '+' } : around);
      if (text !== '' || place.key === 'path') this.#found.literal(text, place, this.#at.concats > 0); // a route may have no name
      this.#at.operand(text, around);
      if (this.#at.frame.kind === '(' && this.#at.frame.argument === 0) this.#at.frame.first = text;
    } else if (token === 'opened') {
      if (this.#at.chain.state === 'operand') this.#at.chain.pieces = null;
      this.#at.operand(text, around);
      this.#at.open({ kind: '`', joins: true });
    } else if (token === 'value') this.#at.operand(null, around);
    else this.#goOn(token === 'closed', text);
  }

  /** Continues a template after an expression. */
  #goOn(isClosed: boolean, text: string): void {
    if (this.#at.frame.kind !== '`') return;
    this.#at.close();
    this.#at.chain.append([text]);
    if (!isClosed) this.#at.open({ kind: '`', joins: true });
  }

  #sign(sign: string, around: Around): void {
    this.#member = false;
    if (sign !== '*') this.#naming = false;
    switch (sign) {
      case '.':
      case '?.':
        this.#member = this.#at.chain.state === 'operand';
        return;
      case '+':
        if (this.#at.chain.state === 'operand') this.#at.chain.state = 'plus';
        else this.#at.changed = true;
        return;
      case '(':
      case '[':
        return this.#openBracket(sign, around);
      case '{':
        return this.#openBrace();
      case ')':
      case ']':
      case '}':
        return this.#closeBracket(sign);
      case ',':
      case ';':
        return this.#separate(sign);
      case ':':
        return this.#keyed();
      case '=':
        return this.#assign();
      case '+=':
        return this.#add();
      case '=>':
        return this.#arrow();
      case '||':
      case '??':
        return this.#otherwise();
      default:
        return this.#operator(sign);
    }
  }

  /** Arithmetic, comparisons and changes: their results are no texts. */
  #operator(sign: string): void {
    const name = this.#at.chain.singleName;
    if (name !== null && (sign === '++' || sign === '--' || /^[^=!<>]+=$/.test(sign)))
      this.#at.frame.scope.assigned(name).writes = 2;
    if (sign === '?' || sign === '&&' || sign === '|' || sign === '&') {
      if (this.#at.chain.binding !== null) this.#at.chain.binding.writes = 2;
      this.#at.finish();
      return;
    }
    this.#at.chain.pieces = null;
    this.#at.finish();
    this.#at.changed = sign !== '...';
  }

  /** `asked || '/default'`: the default holds where nothing else is given. */
  #otherwise(): void {
    const { binding, pieces } = this.#at.chain;
    const isAsked = pieces !== null && pieces.every((piece) => typeof piece !== 'string');
    this.#at.chain.binding = null;
    this.#at.finish();
    if (isAsked) this.#at.binding = binding;
    else if (binding !== null) binding.writes = 2;
  }

  #openBracket(sign: '(' | '[', { before, word }: Around): void {
    const isCall = this.#at.chain.state === 'operand';
    // the last word, if a member of an unknown thing is called
    const callee = isCall ? (this.#at.chain.lastName ?? this.#scanner.word) : before === word ? word : '';
    const joins = sign === '(' && isCall && this.#at.last === 'concat' && this.#at.chain.takeConcat();
    if (joins) this.#at.concats += 1;
    const takesApart = sign === '[' && this.#at.declaring;
    // the argument of `Object.freeze` is the assigned value
    const { assigned } = this.#at.chain;
    const path = callee === 'Object.freeze' && assigned !== '' ? assigned : isCall ? null : this.#at.pathOfValue();
    this.#at.open({ kind: sign, callee, isCall, joins, takesApart, path });
  }

  #openBrace(): void {
    const isBody = this.#at.last === ')' || this.#at.last === '=>';
    const takesApart = this.#at.declaring || (this.#at.frame.takesApart && !isBody);
    if (this.#at.chain.state === 'operand') this.#at.finish();
    const within = takesApart ? this.#at.frame.scope : this.#at.frame.scope.within();
    if (isBody) for (const name of this.#group) within.shadow(name);
    const path = isBody ? null : this.#at.pathOfValue();
    const names = this.#at.frame.names !== null && !isBody ? this.#at.frame.names : null;
    this.#at.open({ kind: '{', scope: within, takesApart, names, path });
  }

  #closeBracket(sign: ')' | ']' | '}'): void {
    if (!this.#at.closeWithin(sign === ')' ? '(' : sign === ']' ? '[' : '{')) {
      this.#at.finish();
      return;
    }
    const frame = this.#at.frame;
    this.#group = sign === ')' && frame.names !== null && takesParameters(frame.callee) ? frame.names : [];
    if (frame.joins) this.#at.concats -= 1;
    this.#at.close();
    if (frame.joins) return;
    if (sign === '}') {
      this.#at.chain.pieces = null;
      this.#at.finish();
    } else if (frame.isCall || this.#at.chain.state === 'operand') this.#at.chain.pieces = null;
    else this.#at.operand(null, UNKNOWN_PLACE);
  }

  #separate(sign: ',' | ';'): void {
    const frame = this.#at.frame;
    if (frame.joins && sign === ',') {
      this.#at.close();
      this.#at.open({ kind: '(', callee: 'concat', isCall: true, joins: true });
      return;
    }
    this.#at.finish();
    this.#at.binding = null;
    this.#at.assigned = '';
    frame.scope = frame.base;
    frame.key = '';
    if (sign === ';') frame.declares = false;
    else frame.argument += 1;
    this.#at.declaring = frame.declares && sign === ',';
  }

  /** A colon: after a key of a record, or after the first branch of a choice. */
  #keyed(): void {
    const key = this.#at.chain.single;
    const isKey = this.#at.frame.kind === '{' && this.#at.chain.binding === null && /^[\w$]+$/.test(key);
    if (isKey) this.#at.chain.forget();
    this.#at.finish();
    const frame = this.#at.keyed(isKey ? key : '');
    this.#at.binding = null;
    if (frame.path === null || !isKey) return;
    this.#at.binding = frame.scope.assigned(`${frame.path}.${key}`);
    this.#at.binding.writes += 1;
  }

  #assign(): void {
    const name = this.#at.chain.singleName;
    this.#at.chain.forget();
    this.#at.binding = null;
    if (name === null) {
      this.#at.assigned = '';
      return;
    }
    // a `location` that the script declares is not the browser's
    const isOwn = /^location\b/.test(name) && this.#at.frame.scope.knows(name);
    this.#at.assigned = isOwn ? `.${name}` : name;
    const binding = this.#at.frame.scope.assigned(name);
    binding.writes += 1;
    // a parameter's default, or a destructured part, may be something else
    if (this.#at.frame.kind === '(' || this.#at.frame.takesApart) binding.writes = 2;
    else this.#at.binding = binding;
  }

  /** `address += '/more'`: the text continues its earlier value. */
  #add(): void {
    const name = this.#at.chain.singleName;
    if (name === null) return this.#operator('+=');
    const { scope } = this.#at.frame;
    this.#at.frame.scope.assigned(name).additions += 1;
    this.#at.chain.pieces = [{ name, scope, isBegun: true }];
    this.#at.chain.state = 'plus';
  }

  #arrow(): void {
    const name = this.#at.chain.singleName;
    const names = name === null ? this.#group : [name];
    this.#at.chain.forget();
    this.#at.binding = null;
    this.#group = names;
    // without braces the body ends with the next comma, or with the bracket around it
    const scope = this.#at.frame.scope.within();
    for (const each of names) scope.shadow(each);
    this.#at.frame.scope = scope;
  }
}

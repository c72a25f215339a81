/**
 * The texts that a script writes or puts together, and what it does with each. Expressions are followed no further than a chain of `+`, a
 * template or `concat`, of texts and of names; whatever else stands in one makes its text unknown. In one pass.
 */
import { FoundTexts, type ScriptReader } from './found-texts.ts';
import { ScriptScope, type Binding, type TextPiece } from './script-constants.ts';
import { ScriptScanner } from './script-scanner.ts';
import { meaningOf, takesParameters } from './script-words.ts';
import { NAME_LENGTH, TextChain } from './text-chain.ts';
import { frameOf, openWithin, UNKNOWN_PLACE, type Frame, type Place } from './text-frame.ts';

/** Brackets within each other, deeper down only literals are reported; and names in one of them. */
const DEPTH = 500;
const NAMES = 50;

type Around = Pick<Place, 'before' | 'word'>;

/** @param source of a script; not needed to be valid */
export function readScript(source: string, reader: ScriptReader): void {
  new Expressions(source, reader).run();
}

class Expressions {
  readonly #scanner: ScriptScanner;
  readonly #reader: ScriptReader;
  readonly #frames: Frame[];
  readonly #found: FoundTexts;
  #frame: Frame;
  #chain = new TextChain();
  /** Brackets of calls of `concat` that are open: their texts are pieces. */
  #concats = 0;
  /** The last token; its word or sign. */
  #last = '';
  /** The next word is a part of what stands before it. */
  #member = false;
  /** The next operand is not what it says. */
  #changed = false;
  /** The next word is declared; or names a function or a class. */
  #declaring = false;
  #naming = false;
  /** What the next chain is assigned to, and by which name. */
  #binding: Binding | null = null;
  #assigned = '';
  /** The names in the brackets that were closed last; parameters, if a body follows. */
  #group: readonly string[] = [];

  constructor(source: string, reader: ScriptReader) {
    this.#scanner = new ScriptScanner(source);
    this.#reader = reader;
    this.#found = new FoundTexts(this.#scanner, reader);
    this.#frame = frameOf({ kind: '', outer: new TextChain(), scope: new ScriptScope() });
    this.#frames = [this.#frame];
  }

  run(): void {
    const scanner = this.#scanner;
    while (this.#reader.full !== true) {
      const { before, word } = scanner;
      const token = scanner.next();
      if (token === 'end') break;
      if (token === 'comment') this.#reader.comment?.(scanner.text);
      else if (this.#frames.length >= DEPTH && token !== 'string') continue;
      else if (token === 'word') this.#word(scanner.text, { before, word });
      else if (token === 'sign') this.#sign(scanner.text, { before, word });
      else if (this.#frames.length < DEPTH) this.#literal(token, { before, word });
      else if (token === 'string') this.#found.literal(scanner.text, { ...UNKNOWN_PLACE, before, word }, false);
      if (token !== 'comment') this.#last = token === 'sign' || token === 'word' ? scanner.text : token;
    }
    this.#finish();
    this.#found.tellJoined();
  }

  #word(text: string, around: Around): void {
    if (this.#member) {
      this.#member = false;
      this.#chain.extend(text);
      return;
    }
    if (this.#naming) {
      this.#naming = false;
      this.#frame.scope.shadow(text);
      return;
    }
    if (this.#isKeyword(text)) return;
    if (this.#chain.state === 'operand') this.#finish(); // a line ends, or a word that means something here only
    const { names, takesApart, scope } = this.#frame;
    if (names !== null && names.length < NAMES) names.push(text);
    if (takesApart) scope.shadow(text);
    if (this.#declaring) {
      this.#declaring = false;
      scope.declare(text);
    }
    // what is counted is no constant
    if (this.#last === '++' || this.#last === '--') scope.assigned(text).writes = 2;
    this.#operand(/^\d{1,9}$/.test(text) ? text : { name: text, scope }, around);
  }

  #isKeyword(text: string): boolean {
    const meaning = meaningOf(text);
    if (meaning === null) return false;
    if (this.#chain.state === 'plus') this.#chain.pieces = null;
    this.#finish();
    this.#binding = null;
    this.#declaring = meaning === 'declares';
    this.#naming = meaning === 'names';
    this.#changed = meaning === 'changes';
    if (this.#declaring) this.#frame.declares = true;
    // a statement begins, though nothing ended the one before
    if ((this.#declaring || this.#naming) && this.#frame.kind !== '(') this.#frame.scope = this.#frame.base;
    return true;
  }

  #literal(token: string, around: Around): void {
    const { text } = this.#scanner;
    this.#declaring = false;
    if (token === 'string') {
      if (this.#chain.state === 'operand') this.#finish();
      // what is added to something is a piece
      const place = this.#placeOf(this.#chain.state === 'plus' ? { ...around, before: '+' } : around);
      if (text !== '') this.#found.literal(text, place, this.#concats > 0);
      this.#operand(text, around);
      if (this.#frame.kind === '(' && this.#frame.argument === 0) this.#frame.first = text;
    } else if (token === 'opened') {
      if (this.#chain.state === 'operand') this.#chain.pieces = null;
      this.#operand(text, around);
      this.#open({ kind: '`', joins: true });
    } else if (token === 'value') this.#operand(null, around);
    else this.#goOn(token === 'closed', text);
  }

  /** Behind an expression of a template. */
  #goOn(isClosed: boolean, text: string): void {
    if (this.#frame.kind !== '`') return;
    this.#close();
    this.#chain.append([text]);
    if (!isClosed) this.#open({ kind: '`', joins: true });
  }

  #sign(sign: string, around: Around): void {
    this.#member = false;
    if (sign !== '*') this.#naming = false;
    switch (sign) {
      case '.':
      case '?.':
        this.#member = this.#chain.state === 'operand';
        return;
      case '+':
        if (this.#chain.state === 'operand') this.#chain.state = 'plus';
        else this.#changed = true;
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

  /** Arithmetic, comparisons and changes: no text comes of them. */
  #operator(sign: string): void {
    const name = this.#chain.singleName;
    if (name !== null && (sign === '++' || sign === '--' || /^[^=!<>]+=$/.test(sign)))
      this.#frame.scope.assigned(name).writes = 2;
    if (sign === '?' || sign === '&&' || sign === '|' || sign === '&') {
      if (this.#chain.binding !== null) this.#chain.binding.writes = 2;
      this.#finish();
      return;
    }
    this.#chain.pieces = null;
    this.#finish();
    this.#changed = sign !== '...';
  }

  /** `asked || '/default'`: where nobody says otherwise, the default holds. */
  #otherwise(): void {
    const { binding, pieces } = this.#chain;
    const isAsked = pieces !== null && pieces.every((piece) => typeof piece !== 'string');
    this.#chain.binding = null;
    this.#finish();
    if (isAsked) this.#binding = binding;
    else if (binding !== null) binding.writes = 2;
  }

  #openBracket(sign: '(' | '[', { before, word }: Around): void {
    const isCall = this.#chain.state === 'operand';
    // of what is asked of an unknown thing, the last word
    const callee = isCall ? (this.#chain.lastName ?? this.#scanner.word) : before === word ? word : '';
    const joins = sign === '(' && isCall && this.#last === 'concat' && this.#chain.takeConcat();
    if (joins) this.#concats += 1;
    const takesApart = sign === '[' && this.#declaring;
    // what is given to `Object.freeze` is what is assigned
    const { assigned } = this.#chain;
    const path = callee === 'Object.freeze' && assigned !== '' ? assigned : isCall ? null : this.#pathOfValue();
    this.#open({ kind: sign, callee, isCall, joins, takesApart, path });
  }

  #openBrace(): void {
    const isBody = this.#last === ')' || this.#last === '=>';
    const takesApart = this.#declaring || (this.#frame.takesApart && !isBody);
    if (this.#chain.state === 'operand') this.#finish();
    const within = takesApart ? this.#frame.scope : this.#frame.scope.within();
    if (isBody) for (const name of this.#group) within.shadow(name);
    const path = isBody ? null : this.#pathOfValue();
    const names = this.#frame.names !== null && !isBody ? this.#frame.names : null;
    this.#open({ kind: '{', scope: within, takesApart, names, path });
  }

  /** What the keys of a record that begins here are to be called. */
  #pathOfValue(): string | null {
    const { kind, path, key } = this.#frame;
    if (this.#last === '=') return this.#assigned === '' ? null : this.#assigned;
    if (kind === '{' && this.#last === ':' && path !== null && key !== '')
      return `${path}.${key}`.slice(0, NAME_LENGTH);
    return kind === '(' && this.#last === '(' ? path : null;
  }

  #closeBracket(sign: ')' | ']' | '}'): void {
    if (!this.#isOpen(sign === ')' ? '(' : sign === ']' ? '[' : '{')) {
      this.#finish();
      return;
    }
    const frame = this.#frame;
    this.#group = sign === ')' && frame.names !== null && takesParameters(frame.callee) ? frame.names : [];
    if (frame.joins) this.#concats -= 1;
    this.#close();
    if (frame.joins) return;
    if (sign === '}') {
      this.#chain.pieces = null;
      this.#finish();
    } else if (frame.isCall || this.#chain.state === 'operand') this.#chain.pieces = null;
    else this.#operand(null, UNKNOWN_PLACE);
  }

  /** Is there such a bracket to be closed? Others that stand in it were left open. */
  #isOpen(kind: string): boolean {
    const open = openWithin(this.#frames, kind);
    for (let left = open ?? 0; left > 0; left--) {
      if (this.#frame.joins && this.#frame.kind === '(') this.#concats -= 1;
      this.#close();
    }
    return open !== null;
  }

  #separate(sign: ',' | ';'): void {
    const frame = this.#frame;
    if (frame.joins && sign === ',') {
      this.#close();
      this.#open({ kind: '(', callee: 'concat', isCall: true, joins: true });
      return;
    }
    this.#finish();
    this.#binding = null;
    this.#assigned = '';
    frame.scope = frame.base;
    frame.key = '';
    if (sign === ';') frame.declares = false;
    else frame.argument += 1;
    this.#declaring = frame.declares && sign === ',';
  }

  /** Behind a key of a record, or the first branch of a choice. */
  #keyed(): void {
    const key = this.#chain.single;
    const isKey = this.#frame.kind === '{' && this.#chain.binding === null && /^[\w$]+$/.test(key);
    if (isKey) this.#chain.forget();
    this.#finish();
    const frame = this.#frame;
    frame.key = isKey ? key : '';
    this.#binding = null;
    if (frame.path === null || !isKey) return;
    this.#binding = frame.scope.assigned(`${frame.path}.${key}`);
    this.#binding.writes += 1;
  }

  #assign(): void {
    const name = this.#chain.singleName;
    this.#chain.forget();
    this.#binding = null;
    if (name === null) {
      this.#assigned = '';
      return;
    }
    // what the script calls so itself is not the browser's
    const isOwn = /^location\b/.test(name) && this.#frame.scope.knows(name);
    this.#assigned = isOwn ? `.${name}` : name;
    const binding = this.#frame.scope.assigned(name);
    binding.writes += 1;
    // a parameter's default, or a part of what is declared, may be something else
    if (this.#frame.kind === '(' || this.#frame.takesApart) binding.writes = 2;
    else this.#binding = binding;
  }

  /** `address += '/more'`: the text goes on with what it was. */
  #add(): void {
    const name = this.#chain.singleName;
    if (name === null) return this.#operator('+=');
    const { scope } = this.#frame;
    this.#frame.scope.assigned(name).additions += 1;
    this.#chain.pieces = [{ name, scope, isBegun: true }];
    this.#chain.state = 'plus';
  }

  #arrow(): void {
    const name = this.#chain.singleName;
    const names = name === null ? this.#group : [name];
    this.#chain.forget();
    this.#binding = null;
    this.#group = names;
    // without braces it is over with the next comma, or with the bracket that it stands in
    const scope = this.#frame.scope.within();
    for (const each of names) scope.shadow(each);
    this.#frame.scope = scope;
  }

  #open(given: Partial<Frame> & { readonly kind: string }): void {
    const { scope, names } = this.#frame;
    const frame = frameOf({
      scope,
      above: this.#frame,
      outer: this.#chain,
      names: given.kind === '(' ? [] : given.kind === '[' ? names : null,
      ...given,
    });
    this.#frames.push(frame);
    this.#frame = frame;
    this.#chain = new TextChain();
    this.#declaring = false;
    this.#changed = false;
    if (given.path === undefined || given.path === null) this.#assigned = '';
    this.#binding = null;
  }

  /** Ends the frame; what it comes to is a part of the chain around it where it joins. */
  #close(): void {
    const { joins, outer } = this.#frame;
    const { pieces, state } = this.#chain;
    const inner = state === 'operand' ? pieces : state === 'none' && this.#frame.kind === '(' ? [] : null;
    this.#finish();
    this.#frames.pop();
    this.#frame = this.#frames.at(-1) ?? this.#frame;
    this.#chain = outer;
    this.#binding = null;
    this.#assigned = '';
    if (joins) this.#chain.append(inner);
  }

  #operand(piece: TextPiece | null, around: Around): void {
    const chain = this.#chain;
    if (chain.state === 'plus') {
      this.#chain.append(piece === null || this.#changed ? null : [piece]);
      chain.state = 'operand';
    } else {
      const pieces = piece === null || this.#changed ? null : [piece];
      chain.pieces = pieces;
      chain.state = 'operand';
      chain.binding = this.#binding;
      chain.place = this.#placeOf(around);
      chain.assigned = chain.place.assigned;
      this.#binding = null;
      this.#assigned = '';
    }
    this.#changed = false;
  }

  /** The chain is whole: notes what it is assigned to, and what it is. */
  #finish(): void {
    const { pieces, state, binding, place } = this.#chain;
    if (state === 'none') return;
    const whole = state === 'operand' ? pieces : null;
    if (binding !== null && binding.pieces === null) binding.pieces = whole;
    this.#chain.forget();
    if (whole !== null) this.#found.chain(whole, place);
  }

  #placeOf({ before, word }: Around): Place {
    const frame = this.#frame;
    const assigned = this.#last === '=' ? this.#assigned : '';
    return { before, word, assigned, frame, argument: frame.argument, key: frame.key };
  }
}

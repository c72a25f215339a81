import { expect, test } from 'vitest';
import { handlerLinks } from '../../../../src/core/links/markup/handler-links.ts';

const read = (code: string): readonly string[] =>
  handlerLinks(code, 'x').map(({ href, confidence = 'high', kind }) => `${kind} ${confidence} ${href}`);

test.each<[string, string, readonly string[]]>([
  ['location', "location='/a'", ['script high /a']],
  ['location.href', 'window.location.href="b.html"; return false', ['script high b.html']],
  ['document.location', "document.location = '/c?d=1'", ['script high /c?d=1']],
  ['assign and replace', "location.assign('/d');location.replace('/e')", ['script high /d', 'script high /e']],
  ['window.open with features', "window.open('/f','_blank','width=300,height=200')", ['script high /f']],
  ['what is reported before it is gone to', "track('/a/b');location.href='/a/b'", ['script high /a/b']],
  [
    'an action that is gone to',
    "track('/checkout/start');location.href='/checkout/start'",
    ['script high /checkout/start'],
  ],
  ['a function called navigate', 'navigate("/g")', ['script high /g']],
  ['goTo', "goTo('/h')", ['script high /h']],
  ['the name of a tab', "openPage('Home', this, 'red')", []],
  ['the name of a menu', "open('menu')", []],
  ['the number of a slide', "carousel.goTo('2')", []],
  ['a relative path given to a function', "goTo('users/5')", ['script low users/5']],
  [
    "a word given to the browser's own functions",
    "location.assign('f1');window.open('f2')",
    ['script high f1', 'script high f2'],
  ],
  [
    'a route behind #',
    "location.href='#/i1'; go('#!/i2'); show.it('#/i3')",
    ['script high #/i1', 'script high #!/i2', 'script low #/i3'],
  ],
  [
    'a fragment that is set',
    "location.hash='#/j1';location.hash = '/j2';location.hash='part'",
    ['script high #/j1', 'script high #/j2'],
  ],
  [
    'a file for an unknown function',
    "MM_openBrWindow('details.html','','width=400'); popUp('plan.php?id=2')",
    ['script low details.html', 'script low plan.php?id=2'],
  ],
  ['a router', "$router.push('/i')", ['script high /i']],
  ['other functions', "showPage('/guide/start')", ['script low /guide/start']],
  ['what is put together', "location.href='/x/' + id", []],
  ['a selector, a class and a type', "toggle('#menu','is-open');send('text/html','1/2')", []],
  ['text that is replaced', "this.value.replace('a','b')", []],
  ['an action', "load('/api/delete/1')", ['resource low /api/delete/1']],
  ['nothing', 'return false', []],
  ['void', "location.href='javascript:void(0)'", []],
])('%s is read', (_name, code, links) => {
  expect(read(code)).toEqual(links);
});

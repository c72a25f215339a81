import { expect, test } from 'vitest';
import { handlerLinks, isHandlerName } from '../../../../src/core/links/markup/handler-links.ts';

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
  ['an address behind its method', "htmx.ajax('GET','/k1','#t')", ['script high /k1']],
  [
    'an address that is sent to',
    "htmx.ajax('POST', '/k1');xhr.open('DELETE','/k2')",
    ['resource low /k1', 'resource low /k2'],
  ],
  ['a function that sends', "axios.post('/k1');@put('/k2')", ['resource low /k1', 'resource low /k2']],
  ['an action behind its method', "htmx.ajax('GET','/cart/delete/1')", ['resource low /cart/delete/1']],
  ['a word behind a method', "htmx.ajax('GET',path,'main')", []],
  ['an address of another call', "htmx.ajax('POST',to);showPage('/k3/a')", ['script low /k3/a']],
  ['nothing', 'return false', []],
  ['void', "location.href='javascript:void(0)'", []],
])('%s is read', (_name, code, links) => {
  expect(read(code)).toEqual(links);
});

test.each(
  'onclick on:click @click v-on:click x-on:click.prevent hx-on:click hx-on::after-request hx-on--after-request hx-on-click hx-on data-hx-on:click up-on-loaded data-on:click data-on-click ng-click data-ng-click'.split(
    ' ',
  ),
)('%s holds code', (name) => {
  expect(isHandlerName(name)).toBe(true);
});

test.each(
  'on href hx-get hx-once hx-online x-one v-once up-once data-on data-one data-online data-on-sale ng-clicks'.split(
    ' ',
  ),
)('%s holds none', (name) => {
  expect(isHandlerName(name)).toBe(false);
});

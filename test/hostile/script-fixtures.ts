/** F15 to F28: scripts that never end, consume all memory, or flood their listeners. */
import { largePicture } from './bombs.ts';
import { must, scripted, SURVIVED, type CrawlFixture, type Route } from './fixture.ts';

/** A fixture of several pages, each with its own script. */
const scripts = (written: Readonly<Record<string, string>>): Pick<CrawlFixture, 'paths' | 'routes' | 'ends'> => ({
  paths: Object.keys(written),
  routes: () => Object.fromEntries(Object.entries(written).map(([path, script]) => [path, scripted(script)])),
  ends: Object.fromEntries(Object.keys(written).map((path) => [path, SURVIVED])),
});

/** A document sent in pieces: a head, then the same piece that many times. */
function repeated(piece: string, times: number, head = '<!doctype html><title>many</title>'): Route {
  const block = piece.repeat(1000);
  return (_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' });
    response.write(head);
    for (let time = 0; time < times / 1000; time += 1) response.write(block);
    response.end();
  };
}

const MEMORY_PAGES: Readonly<Record<string, string>> = {
  '/buffers': 'const all=[];setInterval(()=>{for(let n=0;n<4;n++)all.push(new Uint8Array(64<<20).fill(1))},1)',
  '/canvas': `const all=[];setInterval(()=>{const c=document.createElement('canvas');c.width=c.height=8192;const x=c.getContext('2d');
        x.fillRect(0,0,8192,8192);x.getImageData(0,0,8192,8192);all.push(c)},1)`,
  '/webgl': `const g=document.createElement('canvas').getContext('webgl');const all=[];const data=new Uint8Array(4096*4096*4);
        if(g)setInterval(()=>{const t=g.createTexture();g.bindTexture(g.TEXTURE_2D,t);g.texImage2D(g.TEXTURE_2D,0,g.RGBA,4096,4096,0,g.RGBA,g.UNSIGNED_BYTE,data);all.push(t)},1)`,
  '/picture': `for(let n=0;n<20;n++){const i=new Image();i.src='/large.png?'+n;i.decode().catch(()=>{});document.body.append(i)}`,
};

export const SCRIPT_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'F15',
    attack: 'script without an end before the load event',
    ...scripts({ '/hostile': 'while(true);' }),
    resumed: true,
  },
  {
    id: 'F16',
    attack: 'loops after load: a timer, microtasks, a getter on the title, an observer, a worker',
    ...scripts({
      '/later': 'addEventListener("load",()=>setTimeout(()=>{while(true);},50))',
      '/microtasks': 'const f=()=>Promise.resolve().then(f);f()',
      '/getter': 'Object.defineProperty(document,"title",{get(){while(true);}})',
      '/observer':
        'new MutationObserver(()=>document.body.append("x")).observe(document,{subtree:true,childList:true});document.body.append("x")',
      '/worker': 'new Worker(URL.createObjectURL(new Blob(["while(true);"])))',
    }),
  },
  {
    id: 'F18',
    attack: 'alert, confirm and prompt without an end',
    ...scripts({ '/alert': 'while(1)alert(1)', '/confirm': 'while(1)confirm(1)', '/prompt': 'for(;;)prompt(1)' }),
  },
  {
    id: 'F19',
    attack: 'beforeunload that would keep its page',
    ...scripts({ '/hostile': 'onbeforeunload=(e)=>{e.preventDefault();return "stay"}' }),
    ends: { '/hostile': 'captured' },
    quick: true,
  },
  {
    id: 'F20',
    attack: 'a V8 heap that grows without an end',
    ...scripts({ '/hostile': 'const a=[];for(;;)a.push(new Array(1e6).fill({}))' }),
  },
  {
    id: 'F21',
    attack: 'buffers, canvases, WebGL and a picture of 900 million points',
    // memory needs time to grow
    flags: () => ['--settle-timeout', '9s', '--page-timeout', '15s'],
    ...scripts(MEMORY_PAGES),
    routes: () => {
      const png = largePicture(30_000, 30_000);
      return {
        ...Object.fromEntries(Object.entries(MEMORY_PAGES).map(([path, script]) => [path, scripted(script)])),
        '*': (_request, response) => response.writeHead(200, { 'content-type': 'image/png' }).end(png),
      };
    },
  },
  {
    id: 'F22',
    attack: 'a million elements, a million texts, 100,000 attributes, an attribute of a megabyte',
    paths: ['/elements', '/texts', '/attributes', '/attribute'],
    routes: () => ({
      '/elements': repeated('<i></i>', 1e6),
      '/texts': scripted('for(let n=0;n<1e6;n++)document.body.append("t ")'),
      '/attributes': `<!doctype html><title>a</title><p${Array.from({ length: 1e5 }, (_, n) => ` a${n}=b`).join('')}>p</p>`,
      '/attribute': `<!doctype html><title>a</title><p title="${'a'.repeat(1e6)}">p</p>`,
    }),
    ends: { '/elements': SURVIVED, '/texts': SURVIVED, '/attributes': SURVIVED, '/attribute': 'captured' },
  },
  {
    id: 'F23',
    attack: 'a million links on one page, in its markup and by a script',
    paths: ['/markup', '/script'],
    routes: () => {
      const links = Array.from({ length: 1000 }, (_, n) => `<a href=/many/${n}></a>`).join('');
      return {
        '/markup': (_request, response) => {
          response.writeHead(200, { 'content-type': 'text/html' }).write('<!doctype html><title>m</title>');
          for (let n = 0; n < 1000; n += 1) response.write(links.replaceAll('/many/', `/many/${n}-`));
          response.end();
        },
        '/script': scripted('let h="";for(let n=0;n<1e6;n++)h+="<a href=/many/s"+n+"></a>";document.body.innerHTML+=h'),
      };
    },
    flags: () => ['--exclude', '/many/'],
    // the markup exceeds the limit for a document
    ends: { '/markup': 'too-large', '/script': SURVIVED },
    also: ({ links, world }) => {
      const found = links.filter(({ from }) => from === `${world.site.url}/markup`).length;
      return must(found <= 10_000, `${found} links are kept of one page, not at most 10,000`);
    },
  },
  {
    id: 'F24',
    attack: 'the same link a million times, and links that differ in their fragments',
    paths: ['/same', '/fragments'],
    routes: () => ({
      '/same': repeated('<a href=a>', 1e6),
      '/fragments': scripted(
        'let h="";for(let n=0;n<1e5;n++)h+="<a href=/kept#"+n+">f</a>";document.body.innerHTML+=h',
      ),
    }),
    ends: { '/same': SURVIVED, '/fragments': SURVIVED },
    also: ({ pages }) => must(pages.length <= 12, `${pages.length} pages were visited for one link`),
  },
  {
    id: 'F25',
    attack: 'floods of pushState, replaceState and hashchange',
    ...scripts({
      '/push': 'for(let n=0;n<1e6;n++)try{history.pushState(0,"","/pushed/"+n)}catch{}',
      '/replace': 'for(let n=0;n<1e6;n++)try{history.replaceState(0,"","/pushed/r"+n)}catch{}',
      '/hash': 'let n=0;onhashchange=()=>{location.hash=n++};location.hash="x"',
    }),
    flags: () => ['--exclude', '/pushed/'],
    also: ({ links }) => {
      const pushed = links.filter(({ to }) => to.includes('/pushed/')).length;
      return must(pushed <= 200, `${pushed} addresses of the history are kept, not at most 200`);
    },
  },
  {
    id: 'F26',
    attack: 'a thousand shadow roots within each other, and elements that make themselves anew',
    ...scripts({
      '/shadow':
        'let n=document.body;for(let i=0;i<1000;i++){const d=document.createElement("div");n.append(d);n=d.attachShadow({mode:"open"})}',
      '/anew': `customElements.define('x-y',class extends HTMLElement{connectedCallback(){setTimeout(()=>this.replaceWith(document.createElement('x-y')))}
        disconnectedCallback(){}});document.body.append(document.createElement('x-y'))`,
    }),
  },
  {
    id: 'F27',
    attack: '100,000 elements within each other',
    ...scripts({
      '/hostile':
        'let n=document.body;for(let i=0;i<100000;i++){const d=document.createElement("div");n.append(d);n=d}',
    }),
  },
  {
    id: 'F28',
    attack: 'a thousand windows, and links that open by themselves',
    ...scripts({
      '/windows': 'for(let n=0;n<1000;n++)open("/popup/"+n)',
      '/blank':
        'for(let n=0;n<200;n++){const a=document.createElement("a");a.target="_blank";a.href="/popup/b"+n;document.body.append(a);a.click()}',
      '/under': 'addEventListener("click",()=>open("/popup/u"));document.body.click()',
    }),
    flags: () => ['--exclude', '/popup/'],
    also: ({ world }) => {
      const opened = world.site.asked.filter(({ url }) => url.startsWith('/popup/')).length;
      return must(opened === 0, `${opened} windows asked for their pages`);
    },
  },
];

/** H16 to H20: pages that consume memory of the browser, of its graphics, and of the command itself. */
import { scripted, SURVIVED, type CrawlFixture } from './fixture.ts';

/** Longer limits than for other fixtures: memory needs time to grow. */
const LONG = ['--settle-timeout', '9s', '--page-timeout', '15s'];

export const MEMORY_FIXTURES: readonly CrawlFixture[] = [
  {
    id: 'H16',
    attack: 'one message of eight strings of 256 MB',
    flags: () => LONG,
    routes: () => ({
      '/hostile': scripted(
        'const s=(n)=>String(n).repeat(2**28);console.error(s(1),s(2),s(3),s(4),s(5),s(6),s(7),s(8))',
      ),
    }),
    ends: { '/hostile': SURVIVED },
  },
  {
    id: 'H17',
    attack: 'WebGL textures without an end',
    flags: () => LONG,
    routes: () => ({
      '/hostile':
        scripted(`const all=[];for(const kind of ['webgl','webgl2']){const g=document.createElement('canvas').getContext(kind);if(g)all.push(g)}
        setInterval(()=>{for(const g of all)for(let n=0;n<8;n++){const t=g.createTexture();g.bindTexture(g.TEXTURE_2D,t);
        g.texImage2D(g.TEXTURE_2D,0,g.RGBA,2048,2048,0,g.RGBA,g.UNSIGNED_BYTE,null);g.generateMipmap(g.TEXTURE_2D)}},1)`),
    }),
    ends: { '/hostile': SURVIVED },
  },
  {
    id: 'H18',
    attack: 'arrays that are held: of numbers, of buffers, of strings',
    flags: () => LONG,
    paths: ['/numbers', '/buffers', '/strings'],
    routes: () => ({
      '/numbers': scripted('const a=[];setInterval(()=>a.push(new Float64Array(2e7).fill(Math.random())),5)'),
      '/buffers': scripted(
        'const a=[];setInterval(()=>a.push(new SharedArrayBuffer?.(1)??0,new Blob([new Uint8Array(1e8).fill(1)])),5)',
      ),
      '/strings': scripted(
        'const a=[];let n=0;setInterval(()=>{const t=new TextDecoder().decode(new Uint8Array(1e8).fill(65+n++%20));a.push(t)},5)',
      ),
    }),
    ends: { '/numbers': SURVIVED, '/buffers': SURVIVED, '/strings': SURVIVED },
  },
  {
    id: 'H19',
    attack: 'fetched bodies that are held: 40 of 64 MB, one after the other',
    flags: () => LONG,
    routes: () => ({
      // one after the other, so that the page does not finish before all bodies have arrived
      '/hostile': scripted(
        "const a=[];for(let n=0;n<40;n++)try{const x=new XMLHttpRequest();x.open('GET','/body?'+n,false);x.send();a.push(x.responseText)}catch{}",
      ),
      '*': (_request, response) => {
        const piece = Buffer.alloc(2 ** 22, 'x');
        response.writeHead(200, { 'content-type': 'application/octet-stream' });
        let left = 16;
        const more = (): void => {
          while (left > 0) {
            left -= 1;
            if (!response.write(piece)) return void response.once('drain', more);
          }
          response.end();
        };
        more();
      },
    }),
    ends: { '/hostile': SURVIVED },
  },
  {
    id: 'H20',
    attack:
      'what is told to the command itself, 100 MB at a time: dialogs, exceptions, data: URLs, bodies that are sent, titles',
    flags: () => LONG,
    paths: ['/dialog', '/exception', '/data', '/sent', '/title'],
    routes: () => ({
      '/dialog': scripted("alert('x'.repeat(2**27));confirm('y'.repeat(2**27))"),
      '/exception': scripted('for(let n=0;n<8;n++)setTimeout(()=>{throw new Error(String(n).repeat(2**27))},n)'),
      '/data': scripted(
        "for(let n=0;n<8;n++){const i=new Image();i.src='data:image/gif;base64,'+String(n).repeat(1e8);document.body.append(i)}",
      ),
      '/sent': scripted("for(let n=0;n<8;n++)fetch('/sink',{method:'POST',body:String(n).repeat(1e8)}).catch(()=>{})"),
      '/title': scripted("document.title='t'.repeat(2**28);document.body.append('u'.repeat(2**27))"),
      '/sink': (request, response) => void request.resume().on('end', () => response.end()),
    }),
    ends: {
      '/dialog': SURVIVED,
      '/exception': SURVIVED,
      '/data': SURVIVED,
      '/sent': SURVIVED,
      '/title': [...SURVIVED, 'too-large'],
    },
  },
];

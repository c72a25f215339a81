/** The style sheet of the report: for narrow and wide windows, light and dark, and for paper. */
export const STYLE: string = `
:root{color-scheme:light dark;--paper:#fcfbf8;--card:#fff;--ink:#1c1f24;--muted:#5d636e;--line:#e5e1d8;--track:#eeebe3;--accent:#0c5f58;--shadow:0 1px 2px #1c1f240d,0 4px 16px #1c1f240a;
--error:#b3261e;--error-bg:#fcebe9;--warning:#8a5300;--warning-bg:#fdf0d9;--notice:#1f5a9e;--notice-bg:#e8f0fb;--good:#1d6b40;--good-bg:#e5f3ea;--quiet:#8b919c;
--serif:Charter,"Bitstream Charter","Sitka Text",Cambria,Georgia,serif;--sans:system-ui,-apple-system,"Segoe UI",Roboto,"Noto Sans","DejaVu Sans",sans-serif;--mono:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
@media (prefers-color-scheme:dark){:root{--paper:#131619;--card:#1a1e22;--ink:#e9e7e2;--muted:#a2a8b2;--line:#2b3036;--track:#262b30;--accent:#74cabd;--shadow:none;
--error:#ff9d92;--error-bg:#3b1d1b;--warning:#f0bd6e;--warning-bg:#352811;--notice:#97c3f6;--notice-bg:#182b41;--good:#86d3a2;--good-bg:#163122;--quiet:#7d848f}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;scroll-padding-top:4rem}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 var(--sans);overflow-wrap:anywhere}
.wrap{max-width:68rem;margin:0 auto;padding:0 clamp(1rem,4vw,2.5rem)}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.18em}
a:hover{text-decoration-thickness:2px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:3px}
h1,h2,h3{font-family:var(--serif);line-height:1.2;font-weight:600;text-wrap:balance}
h1{font-size:clamp(1.9rem,5.5vw,3rem);margin:.2rem 0 .4rem;letter-spacing:-.015em}
h2{font-size:clamp(1.4rem,3.4vw,1.85rem);margin:0 0 .7rem;letter-spacing:-.01em}
h3{font-size:1.05rem;margin:0 0 .5rem}
p{margin:.4rem 0}
code{font:.86em/1.5 var(--mono)}
.muted,.lead,dt{color:var(--muted)}
.lead{margin:0 0 1.1rem;max-width:46rem}
.count{color:var(--muted);font:500 .8em var(--sans);font-variant-numeric:tabular-nums;margin-left:.25em}
header.wrap{padding-top:clamp(1.6rem,5vw,3.2rem);padding-bottom:1.4rem}
.brand{font:600 .78rem var(--sans);letter-spacing:.09em;text-transform:uppercase;color:var(--accent);margin:0}
.top{border-bottom:1px solid var(--line)}.top section{border:0}@media (min-width:62rem){.top{display:grid;grid-template-columns:minmax(0,3fr) minmax(0,2fr);gap:3.5rem}}
.verdict{margin:.9rem 0 0;padding:1rem 1.15rem;border-radius:12px;background:var(--card);border:1px solid var(--line);border-left:5px solid var(--quiet);box-shadow:var(--shadow)}
.verdict.passed{border-left-color:var(--good)}.verdict.failed{border-left-color:var(--error)}
.verdict p{margin:.15rem 0}.verdict .headline{font:600 1.3rem var(--serif)}
.verdict ul{list-style:none;margin:.6rem 0 0;padding:0;display:grid;gap:.3rem}
.verdict li{display:grid;grid-template-columns:4rem minmax(0,1fr);gap:.6rem;align-items:baseline}.verdict .chip{justify-self:start}
.verdict.passed .headline{color:var(--good)}.verdict.failed .headline{color:var(--error)}
nav{position:sticky;top:0;z-index:2;background:color-mix(in srgb,var(--paper) 92%,transparent);backdrop-filter:blur(8px);border-bottom:1px solid var(--line)}
nav .wrap{display:flex;gap:1.05rem;overflow-x:auto;scrollbar-width:none;white-space:nowrap}
nav a{padding:.8rem 0;color:var(--muted);text-decoration:none;font-size:.92rem}nav a:hover{color:var(--ink)}
section{padding:clamp(1.9rem,5vw,3rem) 0;border-bottom:1px solid var(--line)}
section:last-of-type{border-bottom:0}
.figures{display:grid;grid-template-columns:1fr 1fr;justify-content:space-between;gap:.4rem 1.2rem;margin:0 0 1.2rem}
.figures div{min-width:6rem;display:flex;flex-direction:column-reverse}
.figures dd{margin:0;font:600 clamp(1.6rem,5vw,2.3rem)/1.15 var(--serif);font-variant-numeric:tabular-nums}
.figures dt{font-size:.9rem}
svg{display:block}.track{fill:var(--track)}.fill{fill:var(--quiet)}
.bar.error .fill,.fill.error{fill:var(--error)}.bar.warning .fill,.fill.warning{fill:var(--warning)}.bar.notice .fill,.fill.notice{fill:var(--notice)}.bar.good .fill,.fill.good{fill:var(--good)}
.stack{border-radius:7px;overflow:hidden;background:var(--track)}.stack .fill.quiet{fill:var(--track)}
.legend{display:flex;flex-wrap:wrap;gap:.2rem 1.2rem;font-size:.92rem;color:var(--muted)}
.key::before{content:"";display:inline-block;width:.7em;height:.7em;border-radius:2px;margin-right:.45em;background:var(--quiet)}
.key.good::before{background:var(--good)}.key.warning::before{background:var(--warning)}.key.notice::before{background:var(--notice)}.key.quiet::before{background:var(--track);box-shadow:inset 0 0 0 1px var(--line)}
.bars{list-style:none;margin:0 0 1.2rem;padding:0;display:grid;align-content:start;gap:.35rem;font-size:.92rem}
.bars li{display:grid;grid-template-columns:8.5rem minmax(3rem,1fr) 3.6rem;gap:.8rem;align-items:center}
.bar-label{overflow:hidden;text-overflow:ellipsis}.bar-count{text-align:right;font-variant-numeric:tabular-nums;color:var(--muted)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:.6rem 3rem;margin-bottom:.8rem}
.columns.three{grid-template-columns:repeat(auto-fit,minmax(min(100%,17rem),1fr));gap:.6rem 2.2rem}
.columns.three .bars li{grid-template-columns:7.6rem minmax(2rem,1fr) 2.8rem;gap:.6rem}
.chip{flex:none;font:600 .72rem/1 var(--sans);letter-spacing:.03em;padding:.32em .6em;border-radius:999px;background:var(--track);color:var(--muted)}
.chip.error,.chip.failed{background:var(--error-bg);color:var(--error)}.chip.warning{background:var(--warning-bg);color:var(--warning)}.chip.notice{background:var(--notice-bg);color:var(--notice)}.chip.passed{background:var(--good-bg);color:var(--good)}
.urgent{counter-reset:rank;list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr));gap:1rem}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem 1.15rem;box-shadow:var(--shadow)}
.card p{margin:.3rem 0}.card-head{display:flex;gap:.6rem;align-items:baseline;flex-wrap:wrap}.card-head h3{margin:0;font-size:1.12rem;flex:1 1 12rem}
.urgent .card{counter-increment:rank;position:relative}
.counts{font-size:.92rem;color:var(--muted)}.counts code,.group-title code{background:var(--track);color:var(--ink);padding:.1em .4em;border-radius:5px;margin-right:.35em}
.where{font-size:.92rem}.url{font:.86em/1.5 var(--mono);word-break:break-word}
.category{margin:1.9rem 0 .7rem;font-size:1.2rem}
.group{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.45rem 0}
.group>summary{display:grid;grid-template-columns:auto minmax(0,1fr) auto auto;gap:.75rem;align-items:center;padding:.7rem 1rem;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}
.group>summary::after{content:"";width:.5rem;height:.5rem;border:solid var(--muted);border-width:0 1.5px 1.5px 0;transform:rotate(45deg) translate(-2px,-2px);transition:transform .15s}
.group[open]>summary::after{transform:rotate(225deg) translate(-2px,-2px)}
.group>summary:hover .group-title{color:var(--accent)}
.group-title{font-weight:550}.group-count{color:var(--muted);font-size:.88rem;text-align:right;font-variant-numeric:tabular-nums}
.group-body,.group>ul{padding:.2rem 1rem 1rem;border-top:1px solid var(--line);margin-top:0}
h4{margin:1.1rem 0 .1rem;font:550 .95rem var(--sans)}h4 code{background:var(--track);padding:.15em .45em;border-radius:5px;margin-right:.35em}
.rule{padding:.5rem 0 .3rem;max-width:50rem}.rule p{margin:.2rem 0}
.findings{list-style:none;margin:0;padding:0}
.finding{padding:.75rem 0;border-top:1px solid var(--line)}
.finding:first-child{border-top:0}
.finding p{margin:.15rem 0}.message{font-weight:500}.others,.accepted{font-size:.88rem;color:var(--muted)}
.accepted{color:var(--good)}
.evidence{margin:.4rem 0 0;display:grid;gap:.2rem;font-size:.88rem}
.evidence div{display:grid;grid-template-columns:4.4rem minmax(0,1fr);gap:.6rem}.evidence dd{margin:0}
.evidence code{background:var(--track);padding:.12em .4em;border-radius:4px;-webkit-box-decoration-break:clone;box-decoration-break:clone}
.change del{color:var(--error);text-decoration:line-through}.change ins{color:var(--good);text-decoration:none;font-weight:550}
.plain{list-style:none;margin:.4rem 0;padding:0}.plain li{padding:.22rem 0}
details.more summary,.card summary{cursor:pointer;color:var(--accent);font-size:.92rem}
.cards{list-style:none;margin:0;padding:0;display:grid;gap:.7rem;grid-template-columns:repeat(auto-fit,minmax(min(100%,22rem),1fr))}
.rules{list-style:none;margin:0;padding:0;columns:2 24rem;column-gap:3rem}
.rules li{display:flex;justify-content:space-between;gap:1rem;padding:.34rem 0;border-bottom:1px solid var(--line);break-inside:avoid;font-size:.93rem}
.pictures{list-style:none;margin:0;padding:0;display:grid;gap:1.1rem;grid-template-columns:repeat(auto-fill,minmax(min(100%,15rem),1fr))}
.pictures img{width:100%;height:auto;aspect-ratio:16/10;object-fit:cover;object-position:top;border:1px solid var(--line);border-radius:8px;background:var(--track)}
.pictures p{margin:.2rem 0;font-size:.9rem}
.toolbar{display:flex;flex-wrap:wrap;gap:.7rem;align-items:end;margin:0 0 1rem;padding:.9rem 1rem;background:var(--card);border:1px solid var(--line);border-radius:12px}
.toolbar[hidden],[hidden]{display:none}
.toolbar label{display:grid;gap:.2rem;font-size:.8rem;color:var(--muted);flex:1 1 8rem}.toolbar .search{flex:3 1 15rem}
input,select,button{font:inherit;font-size:.95rem;color:var(--ink);background:var(--paper);border:1px solid var(--line);border-radius:8px;padding:.5rem .65rem;min-height:2.6rem;width:100%}
button{width:auto;cursor:pointer;color:var(--accent);font-weight:550}button:hover{border-color:var(--accent)}button:disabled{color:var(--quiet);border-color:var(--line);cursor:default}
.pager{display:flex;gap:.8rem;align-items:center;justify-content:space-between;margin:1rem 0 0;font-size:.92rem;color:var(--muted);font-variant-numeric:tabular-nums}
.item{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.45rem 0;padding:.75rem 1rem}
.item-head{display:flex;gap:.65rem;align-items:baseline;flex-wrap:wrap}.item-head .group-title{flex:1 1 14rem}
.table{overflow-x:auto}table{width:100%;border-collapse:collapse;font-size:.94rem}
th{position:relative;text-align:right;font-weight:550;color:var(--muted);font-size:.86rem;padding:.5rem .7rem;border-bottom:1px solid var(--line);white-space:nowrap}
th:first-child,td:first-child{text-align:left;padding-left:0}th:last-child,td:last-child{padding-right:0}
th button{all:unset;cursor:pointer;font:inherit;color:inherit}th button:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
th[aria-sort=ascending] button::after{content:" ↑"}th[aria-sort=descending] button::after{content:" ↓"}
td{text-align:right;padding:.5rem .7rem;border-bottom:1px solid var(--line);vertical-align:top;font-variant-numeric:tabular-nums;white-space:nowrap}
td.page{white-space:normal;width:100%}td .title{display:block;font-weight:500}td .muted{display:block;font-size:.86rem}
footer.wrap{padding-top:1.6rem;padding-bottom:3rem;color:var(--muted);font-size:.88rem}
@media (min-width:40rem){.figures{grid-template-columns:repeat(4,auto)}.figures div{min-width:0}}
@media (max-width:40rem){
.group>summary{grid-template-columns:minmax(0,1fr) auto;gap:.35rem .6rem}.group>summary .chip{grid-column:1;justify-self:start}.group>summary::after{grid-column:2;grid-row:1}.group-title{grid-column:1/-1;grid-row:2}.group-count{grid-column:1/-1;grid-row:3;text-align:left}
.bars li{grid-template-columns:6.9rem minmax(2rem,1fr) 3rem;gap:.6rem}
thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}
tr{display:grid;grid-template-columns:repeat(4,auto);justify-content:start;gap:.1rem 1rem;padding:.7rem 0;border-bottom:1px solid var(--line)}
td,td.page{display:block;text-align:left;padding:0;border:0;width:auto}td.page{grid-column:1/-1}
td[data-name]{font-size:.86rem;color:var(--muted)}td[data-name]::before{content:attr(data-name) " "}
.evidence div{grid-template-columns:1fr;gap:0}}
@media print{nav,.toolbar,.all,.pager button{display:none!important}body{background:#fff}details::details-content{content-visibility:visible}summary,.finding,.card{break-inside:avoid}section{padding:1rem 0}}
@media (prefers-reduced-motion:reduce){*{transition:none!important;scroll-behavior:auto!important}}
.compared .beside{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:1rem;margin:.6rem 0}.compared figure{margin:0}
.compared img{max-width:100%;border:1px solid var(--line);border-radius:6px;display:block}.compared figcaption{color:var(--muted);font-size:.85rem}
.slider .stack{position:relative}.slider .over{position:absolute;inset:0;width:100%}.slider .stack img{width:100%}.slider input{width:100%}
`;

import { luaScript, type LuaScript } from '../redis/lua-script.ts';
import { yesOrNo } from '../redis/reply.ts';

/** Adds a text to a list, or to a hash where a worker is named. Reply: false where the crawl is gone. */
export const TELL: LuaScript<'controller' | 'target', 'text' | 'worker', boolean> = luaScript(
  new URL('./lua/tell.lua', import.meta.url),
  { keys: ['controller', 'target'], args: ['text', 'worker'], reply: yesOrNo },
);

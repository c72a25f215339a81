/** `orbweaver login <url>` */
import { Command } from 'commander';
import { parsedUrl } from '../../base/parsed-url.ts';
import { exitCodeOfSignal, type ExitCode } from '../exit-code.ts';
import { listenForInterruption } from '../interruption.ts';
import { safeText } from '../terminal/safe-text.ts';
import { callOf, invocation, nearPath, quoted, type Shell } from '../shell.ts';

/** @param finish called with the exit code */
export function loginCommand(shell: Shell, finish: (code: ExitCode) => void): Command {
  const call = callOf('login', shell);
  return new Command('login')
    .summary('sign in by hand once, and keep the state for crawls')
    .description(
      'Opens a window in which you sign in. When you close it, cookies, storage and databases are written to a file for --storage-state of crawl.',
    )
    .argument('<url>', 'the page to begin with')
    .option('--storage-state <file>', 'the file; one that is there is gone on with (default: state-<host>.json)')
    .addHelpText('after', `\nExample:\n  ${call} https://example.org/login --storage-state state.json`)
    .action(async (url: string, { storageState }: { readonly storageState?: string }) => {
      const engine = await shell.engine();
      const ending = new AbortController();
      let code: ExitCode | null = null;
      using _listening = listenForInterruption(shell.signals, shell.clock, (_how, signal) => {
        code = exitCodeOfSignal(signal);
        ending.abort(new Error(`received ${signal}`));
      });
      const host = parsedUrl(url)?.hostname ?? 'site';
      const file = storageState ?? `state-${host.replaceAll(/[^\w.-]/g, '_')}.json`;
      const onOpen = (): void => void shell.errors.write('Sign in in the window that has opened, then close it.\n');
      try {
        const end = await engine.signInByHand({ url, storageState: file, onOpen }, shell.environment(), ending.signal);
        const near = nearPath(end.file, shell.workingFolder);
        shell.output.write(
          `${safeText(near)}: ${end.cookies} cookies, local storage of ${end.origins} origins\n` +
            safeText(`crawl with: ${invocation(shell)} crawl ${quoted(url)} --storage-state ${quoted(near)}`) +
            '\n',
        );
        finish(0);
      } catch (error) {
        if (code === null) throw error;
        finish(code);
      }
    });
}

import type { PageRule } from '../../model/audit-rule.ts';
import { languageFault } from './language-tag.ts';

export const invalidLang: PageRule = {
  id: 'invalid-lang',
  severity: 'warning',
  category: 'documents',
  about: 'layout',
  title: 'Page in a language that does not exist',
  why: 'A tag that no software knows is as good as none.',
  fix: 'Write a tag of BCP 47: en, pt-BR, zh-Hant.',
  source: { name: 'BCP 47: Tags for Identifying Languages', url: 'https://www.rfc-editor.org/info/bcp47' },
  *checkPage({ lang }) {
    const tag = (lang ?? '').trim();
    const fault = tag === '' ? null : languageFault(tag);
    if (fault === null) return;
    yield {
      thing: tag,
      message: `lang=${JSON.stringify(tag)}: ${fault}`,
      evidence: { selector: 'html', snippet: `<html lang="${tag}">` },
    };
  },
};

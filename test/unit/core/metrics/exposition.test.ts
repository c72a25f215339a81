import { expect, it } from 'vitest';
import { exposition } from '../../../../src/core/metrics/exposition.ts';

it('metrics are written as Prometheus reads them, and those without samples are left out', () => {
  const text = exposition([
    { name: 'a_total', help: 'First\nline \\', type: 'counter', samples: [{ value: 1.5 }] },
    {
      name: 'b',
      help: 'Second',
      type: 'gauge',
      samples: [
        { labels: { x: 'quote " and \\ and\nline', y: '' }, value: 0 },
        { labels: { x: 'plain' }, value: 2 },
      ],
    },
    { name: 'c', help: 'None', type: 'gauge', samples: [] },
  ]);
  expect(text).toBe(
    [
      '# HELP a_total First\\nline \\\\',
      '# TYPE a_total counter',
      'a_total 1.5',
      '# HELP b Second',
      '# TYPE b gauge',
      'b{x="quote \\" and \\\\ and\\nline",y=""} 0',
      'b{x="plain"} 2',
      '',
    ].join('\n'),
  );
});

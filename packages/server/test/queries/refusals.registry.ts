import { func, part, trunc, value } from './query-harness.ts'

export const glucose = value('glucose')
export const mean = func('mean', glucose)
export const daily = [trunc('day')]
export const select = (...items: object[]) => ({ select: items })
const flow = { menstrual_cycle: 'menstrual_flow' }
const list = (arg: object | null, more: object = {}, name = 'count') => ({
  select: { func: name, arg },
  from: { unnest: flow },
  ...more,
})
export const carry = (more: object = {}, mode = 'carry_forward') => ({
  align: { carry: { mode, ...more } },
})
export const keyed = { select: [{ group_key: '*' }, mean], group_by: daily }
const byDayAndType = { ...keyed, group_by: [...daily, value('glucose', 'type')] }

type Refusal = [query: object, type: string, loc: (string | number)[]]

/** Each wrong query with the code and the place of the answer. */
export const REFUSALS: Record<string, Refusal[]> = {
  'two tables': [
    [select({ sleep: 'score' }, { activity: 'steps' }), 'cross_table', ['select', 1]],
    [
      select(func('max', { index: 'sleep' }), func('max', glucose)),
      'cross_table',
      ['select', 1, 'arg'],
    ],
    [{ ...select(mean), group_by: [trunc('day', 'sleep')] }, 'cross_table', ['group_by', 0, 'arg']],
    [select({ value_macro: 'awakenings' }, { workout: 'title' }), 'cross_table', ['select', 1]],
    [
      select(mean, func('max', value('steps')), func('min', { index: 'timeseries' })),
      'cross_table',
      ['select', 2, 'arg'],
    ],
  ],
  'what does not exist': [
    [select({ sleep: 'steps' }), 'unknown_column', ['select', 0, 'sleep']],
    [select({ sleep: '__proto__' }), 'unknown_column', ['select', 0, 'sleep']],
    [select(value('hypnogram')), 'unknown_column', ['select', 0, 'timeseries']],
    [
      select(func('sum', value('glucose', 'duration'))),
      'unknown_column',
      ['select', 0, 'arg', 'field'],
    ],
    [select({ source: 'source_type' }), 'unknown_column', ['select']],
    [select({ index: 'timeseries' }), 'unknown_column', ['select']],
    [
      select({ sleep: 'id' }, { source: 'source_sport' }),
      'unknown_column',
      ['select', 1, 'source'],
    ],
    [{ ...select(mean), where: 'steps > 1' }, 'unknown_column', ['where']],
    [{ ...select(mean), where: 'steps.value > 1' }, 'unknown_column', ['where']],
    [{ ...select({ sleep: 'score' }), where: 'sleep.score > 1' }, 'unknown_column', ['where']],
  ],
  'a filter that is none': [
    [{ ...select(mean), where: 'value >' }, 'where_syntax', ['where']],
    [{ ...select(mean), where: 'value in (1)' }, 'where_syntax', ['where']],
    [{ ...select(mean), where: `value = ${'1'.repeat(4000)}` }, 'where_syntax', ['where']],
  ],
  'a filter of other types': [
    [{ ...select(mean), where: "value > 'high'" }, 'where_type', ['where']],
    [{ ...select(mean), where: 'source_type = 5' }, 'where_type', ['where']],
    [{ ...select(mean), where: 'value = type' }, 'where_type', ['where']],
    [{ ...select(mean), where: "timestamp > 'yesterday'" }, 'where_type', ['where']],
    [{ ...select(mean), where: "timestamp > '2026-02-30'" }, 'where_type', ['where']],
    [{ ...select(mean), where: "timestamp > '2026-02-03T10:00:00Z'" }, 'where_type', ['where']],
    [{ ...select({ activity: 'date' }), where: 'date > 20260101' }, 'where_type', ['where']],
    [
      { ...select({ activity: 'date' }), where: "wheelchair_use = 'true'" },
      'where_type',
      ['where'],
    ],
    [
      { ...select(mean, func('max', value('steps'))), where: 'glucose.value > steps.value' },
      'where_type',
      ['where'],
    ],
  ],
  'functions of other types': [
    [select(func('sum', { sleep: 'state' })), 'invalid_function', ['select', 0, 'arg']],
    [
      select(func('mean', { activity: 'wheelchair_use' })),
      'invalid_function',
      ['select', 0, 'arg'],
    ],
    [select(func('stddev', { index: 'body' })), 'invalid_function', ['select', 0, 'arg']],
  ],
  'group keys': [
    [
      { ...select({ group_key: 1 }, mean), group_by: daily },
      'invalid_group_key',
      ['select', 0, 'group_key'],
    ],
    [
      { ...select({ group_key: -1 }, mean), group_by: daily },
      'invalid_group_key',
      ['select', 0, 'group_key'],
    ],
    [select({ group_key: '*' }, mean), 'invalid_group_key', ['select', 0, 'group_key']],
    [
      { ...select(mean), group_by: [trunc('year', 'timeseries', 101)] },
      'invalid_group_key',
      ['group_by', 0, 'date_trunc'],
    ],
    [
      { ...select(mean), group_by: [...daily, trunc('week')] },
      'multiple_date_trunc',
      ['group_by', 1],
    ],
    [
      { ...select(mean, func('max', value('steps'))), group_by: [value('steps', 'duration')] },
      'invalid_group_key',
      ['group_by', 0],
    ],
  ],
  'rows and groups together': [
    [select(mean, glucose), 'mixed_select', ['select', 1]],
    [{ ...select(glucose), group_by: daily }, 'mixed_select', ['select', 0]],
    [{ ...select({ index: 'timeseries' }, mean), group_by: daily }, 'mixed_select', ['select', 0]],
    [{ ...select(glucose), split_by_source: true }, 'mixed_select', ['select', 0]],
  ],
  lists: [
    [select(flow), 'list_column', ['select', 0]],
    [select(func('count', value('note', 'tags'))), 'list_column', ['select', 0, 'arg']],
    [
      { ...select(func('max', { menstrual_cycle: 'period_end' })), group_by: [flow] },
      'list_column',
      ['group_by', 0],
    ],
    [
      { ...select({ menstrual_cycle: 'period_end' }), where: "menstrual_flow = 'x'" },
      'list_column',
      ['where'],
    ],
    [select(list(null, {}, 'sum')), 'invalid_subquery', ['select', 0, 'select', 'arg']],
    [
      select(list({ menstrual_flow: 'flow' }, {}, 'newest')),
      'invalid_subquery',
      ['select', 0, 'select', 'func'],
    ],
    [select(list({ element: true })), 'invalid_subquery', ['select', 0, 'select', 'arg']],
    [select(list({ contraceptive: 'date' })), 'invalid_subquery', ['select', 0, 'select', 'arg']],
    [
      select(list({ field_for: 'sleep', menstrual_flow: 'date' })),
      'invalid_subquery',
      ['select', 0, 'select', 'arg'],
    ],
    [select(list({ menstrual_flow: 'volume' })), 'unknown_column', ['select', 0, 'select', 'arg']],
    [
      select(list({ menstrual_flow: 'flow' }, {}, 'sum')),
      'invalid_function',
      ['select', 0, 'select', 'arg'],
    ],
    [select(list(null, { where: 'period_end = null' })), 'unknown_column', ['select', 0, 'where']],
    [select(list(null, { where: "element = 'x'" })), 'unknown_column', ['select', 0, 'where']],
    [select(list(null, { where: 'flow = 3' })), 'where_type', ['select', 0, 'where']],
    [select(list(null, { where: 'flow' })), 'where_syntax', ['select', 0, 'where']],
    [
      select({ ...list(null), from: { unnest: { menstrual_cycle: 'period_end' } } }),
      'invalid_subquery',
      ['select', 0, 'from', 'unnest'],
    ],
    [
      { ...select(list({ menstrual_flow: 'date' })), group_by: [trunc('day', 'menstrual_cycle')] },
      'mixed_select',
      ['select', 0],
    ],
  ],
  'a rule of sources': [
    [
      { ...select({ activity: 'steps' }), source_rule: 'merged' },
      'invalid_source_rule',
      ['source_rule'],
    ],
    [{ ...select(glucose), source_rule: 'merged' }, 'invalid_source_rule', ['source_rule']],
  ],
  align: [
    [{ ...select(mean), ...carry() }, 'invalid_align', ['align']],
    [{ ...select(glucose), ...carry() }, 'invalid_align', ['align']],
    [{ ...keyed, group_by: [part('day')], ...carry() }, 'invalid_align', ['align']],
    [{ ...keyed, group_by: [...daily, part('hour')], ...carry() }, 'invalid_align', ['align']],
    [
      { ...keyed, ...carry({ max_age: { unit: 'hour', value: 23 } }) },
      'invalid_align',
      ['align', 'carry', 'max_age'],
    ],
    [
      {
        ...keyed,
        group_by: [trunc('month')],
        ...carry({ span: { unit: 'week', value: 4 } }, 'carry_nearest'),
      },
      'invalid_align',
      ['align', 'carry', 'span'],
    ],
    [{ ...keyed, select: [mean], ...carry() }, 'missing_group_key', ['select']],
    [
      { ...byDayAndType, select: [{ group_key: 0 }, mean], ...carry() },
      'missing_group_key',
      ['select'],
    ],
  ],
  placeholders: [
    [select({ placeholder: true }), 'placeholder', ['select', 0]],
    [select(func('max', { placeholder: true })), 'placeholder', ['select', 0, 'arg']],
    [{ ...select(mean), group_by: [{ placeholder: true }] }, 'placeholder', ['group_by', 0]],
  ],
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InputError } from '@salus/kernel/errors'
import { createValidatorCompiler } from '@salus/kernel/http/validation'
import { OrderListQuery } from './orders-list.schema.ts'
import { toOrderFilter } from './orders-list.service.ts'
import { toSearchedName, toSubstringPattern } from './searched-text.ts'

const validate = createValidatorCompiler()({
  schema: OrderListQuery,
  httpPart: 'querystring',
  method: 'GET',
  url: '/v3/orders',
})

/** Returns the filter of a query string: texts, and lists for repeated keys. */
function read(query: Record<string, string | string[]>) {
  const result = validate({ ...query })
  if (typeof result === 'object' && 'error' in result && result.error) throw result.error
  return toOrderFilter((result as { value: OrderListQuery }).value)
}

const problemsOf = (query: Record<string, string | string[]>) => {
  try {
    read(query)
    return []
  } catch (error) {
    assert.ok(error instanceof InputError)
    return error.problems.map(({ loc, type }) => `${loc.join('.')} ${type}`)
  }
}

test('an empty query has no conditions', () => {
  assert.deepEqual(read({}), {
    created: { from: null, before: null },
    updated: { from: null, before: null },
    statuses: null,
    methods: null,
    interpretations: null,
    activation: null,
    names: [],
    userId: null,
    transactionId: null,
    orderIds: null,
    orderOrUserId: null,
    birthDate: null,
    key: 'created_at',
    direction: 'desc',
    offset: 0,
    size: 50,
  })
})

test('repeated keys are lists, and one key is a list of one', () => {
  assert.deepEqual(read({ status: ['lost', 'completed'] }).statuses, ['lost', 'completed'])
  assert.deepEqual(read({ order_type: 'testkit' }).methods, ['testkit'])
})

test('unknown values are refused with their path', () => {
  assert.deepEqual(problemsOf({ status: ['lost', 'found'] }), ['query.status.1 enum'])
  assert.deepEqual(problemsOf({ order_key: 'id' }), ['query.order_key enum'])
  assert.deepEqual(problemsOf({ user_id: '7' }), ['query.user_id uuid_parsing'])
  assert.deepEqual(problemsOf({ start_date: '2026-02-30' }), ['query.start_date datetime_parsing'])
  assert.deepEqual(problemsOf({ page: '0', size: '101' }), [
    'query.page greater_than_equal',
    'query.size less_than_equal',
  ])
  const id = '00000000-0000-4000-8000-000000000001'
  assert.deepEqual(problemsOf({ order_ids: Array(500).fill(id) }), [])
  assert.deepEqual(problemsOf({ order_ids: Array(501).fill(id) }), ['query.order_ids too_long'])
})

test('dates are whole days, except for the end of updates, which is its first second', () => {
  const query = { start_date: '2026-02-01', end_date: '2026-02-01' }
  assert.deepEqual(read(query).created, {
    from: new Date('2026-02-01T00:00:00Z'),
    before: new Date('2026-02-02T00:00:00Z'),
  })
  const updated = { updated_start_date: '2026-02-01', updated_end_date: '2026-02-01' }
  assert.deepEqual(read(updated).updated, {
    from: new Date('2026-02-01T00:00:00Z'),
    before: new Date('2026-02-01T00:00:01Z'),
  })
})

test('instants are read at their offset and an end covers its second', () => {
  const ends = { end_date: '2026-02-01T12:00:00+02:00', updated_end_date: '2026-02-01T10:00:00.4Z' }
  const { created, updated } = read(ends)
  assert.deepEqual(created.before, new Date('2026-02-01T10:00:01Z'))
  assert.deepEqual(updated.before, new Date('2026-02-01T10:00:01Z'))
})

test('dates at the ends of the calendar stay within it', () => {
  const { created } = read({ start_date: '0000-01-01', end_date: '9999-12-31' })
  assert.deepEqual(created, {
    from: new Date('0001-01-02T00:00:00Z'),
    before: new Date('9999-12-30T00:00:00Z'),
  })
})

test('a search finds an id, a birth date or a name', () => {
  const id = '0A000000-0000-4000-8000-000000000001'
  assert.equal(read({ search_input: id }).orderOrUserId, id.toLowerCase())
  assert.equal(read({ search_input: '1980-01-31' }).birthDate, '1980-01-31')
  for (const text of ['1980-02-31', '1980/01/31', '0000-01-01', 'null', ' ']) {
    const { names, birthDate, orderOrUserId } = read({ search_input: text })
    assert.deepEqual(names, [{ of: 'either', text }])
    assert.deepEqual([birthDate, orderOrUserId], [null, null])
  }
})

test('empty texts are no condition', () => {
  const query = { search_input: '', patient_name: '', shipping_recipient_name: '', is_critical: '' }
  assert.deepEqual(read(query), read({}))
})

test('critical and interpretation are combined', () => {
  const others = ['normal', 'abnormal', 'unknown', null]
  assert.deepEqual(read({ is_critical: 'false' }).interpretations, others)
  assert.deepEqual(read({ is_critical: 'true' }).interpretations, ['critical'])
  assert.deepEqual(read({ is_critical: 'true', interpretation: 'normal' }).interpretations, [])
  assert.deepEqual(read({ is_critical: 'false', interpretation: 'normal' }).interpretations, [
    'normal',
  ])
})

test('both activations are all orders', () => {
  assert.equal(read({ order_activation_types: ['current', 'scheduled'] }).activation, null)
  assert.equal(read({ order_activation_types: ['scheduled', 'scheduled'] }).activation, 'scheduled')
})

test('the last possible page is still a number', () => {
  const { offset, size } = read({ page: String(Number.MAX_SAFE_INTEGER), size: '100' })
  assert.ok(Number.isSafeInteger(offset + size))
})

test('names are searched in lower case, composed, with limited length', () => {
  assert.equal(toSearchedName('ZOE\u0308'), 'zoë')
  assert.equal([...toSearchedName('👩'.repeat(300))].length, 200)
  assert.equal(toSubstringPattern('50%_\\'), '%50\\%\\_\\\\%')
})

import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { importAnyFile, outcomeOf } from '../../../../server/test/imports/import-any-file.ts'
import { TEMPLATE } from '../../../../server/test/imports/route-cases.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

const salus = useFixture(createHarness)
before(() => salus.startJobs())

const PATH = '/v2/import/templates'
const TABLE = 'Date;Time;Glucose\n13.01.2026;07:05;5,6\n13.01.2026;07:20;=1+1\n'
const errorOf = ({
  status,
  body,
}: {
  status: number
  body: { detail: { error_type: string } }
}) => [...[status, body.detail.error_type]]

test('a template is created, listed, replaced and deleted', async () => {
  const { body: created } = await salus.call('POST', PATH, { name: 'Meter', template: TEMPLATE })
  const defaults = { has_head: true, source_type: 'unknown', app_id: 'csv' }
  assert.deepEqual([created.name, created.template], ['Meter', { ...TEMPLATE, ...defaults }])
  assert.deepEqual((await salus.call('GET', `${PATH}/${created.id}`)).body, created)
  const again = await salus.call('POST', PATH, { name: 'Meter', template: TEMPLATE })
  assert.deepEqual(errorOf(again), [409, 'template_name_taken'])
  const { body: other } = await salus.call('POST', PATH, { name: 'Another', template: TEMPLATE })
  const { body: list } = await salus.call('GET', PATH)
  assert.deepEqual(
    list.templates.map(({ name }: { name: string }) => name),
    ['Another', 'Meter'],
  )
  const change = { name: 'Meter', template: { ...TEMPLATE, decimal: '.' } }
  const { body: replaced } = await salus.call('PUT', `${PATH}/${created.id}`, change)
  assert.deepEqual([replaced.id, replaced.template.decimal], [created.id, '.'])
  const taken = await salus.call('PUT', `${PATH}/${other.id}`, change)
  assert.deepEqual(errorOf(taken), [409, 'template_name_taken'])
  for (const id of [created.id, other.id]) {
    assert.equal((await salus.call('DELETE', `${PATH}/${id}`)).status, 200)
  }
  assert.equal((await salus.call('DELETE', `${PATH}/${created.id}`)).status, 404)
})

test('a template that cannot be applied is refused with the field', async () => {
  const wrong = { ...TEMPLATE, values: [{ series: 'glucose', column: 'Glucose', unit: 'kg' }] }
  const answer = await salus.call('POST', PATH, { name: 'Wrong', template: wrong })
  assert.deepEqual(errorOf(answer), [400, 'invalid_template'])
  assert.equal(answer.body.detail.field, 'values.0.unit')
  const unknown = { ...TEMPLATE, values: [{ series: 'mood', column: 'Glucose', unit: 'kg' }] }
  assert.equal((await salus.call('POST', PATH, { name: 'X', template: unknown })).status, 422)
})

test('an import with a template reads its table, and again changes nothing', async () => {
  const userId = await salus.makeUser()
  const { body: template } = await salus.call('POST', PATH, { name: 'Import', template: TEMPLATE })
  const query = `?template_id=${template.id}`
  const job = await importAnyFile(salus, userId, TABLE, query)
  assert.deepEqual([job.status, job.source, job.provider], ['completed', 'csv', 'manual'])
  assert.deepEqual(outcomeOf(job), [1, 0, 0, 1])
  assert.deepEqual(outcomeOf(await importAnyFile(salus, userId, TABLE, query)), [0, 0, 1, 1])
  const range = 'start_date=2026-01-13&end_date=2026-01-13'
  const { body } = await salus.call('GET', `/v2/timeseries/${userId}/glucose/grouped?${range}`)
  const [group] = body.groups.manual
  assert.deepEqual(
    [group.source.app_id, group.data[0].start, group.data[0].value],
    ['csv', '2026-01-13T06:05:00+00:00', 5.6],
  )
  const wrong = importAnyFile(salus, userId, 'a,b\n1,2\n', query)
  assert.equal((await wrong).error?.error_type, 'unknown_columns')
})

test('a template of another environment is unknown to imports and previews', async () => {
  const userId = await salus.makeUser()
  for (const id of ['4c2d0c3e-0000-4000-8000-000000000000', 'none']) {
    const answer = await salus.call(
      'POST',
      `/v2/user/${userId}/import?template_id=${id}`,
      Buffer.from(TABLE),
      {
        'content-type': 'text/csv',
      },
    )
    assert.deepEqual(errorOf(answer), [400, 'unknown_template'])
  }
  const missing = { content: TABLE, template_id: '4c2d0c3e-0000-4000-8000-000000000000' }
  assert.equal((await salus.call('POST', '/v2/import/preview', missing)).status, 404)
})

test('a preview shows rows and outcomes, and refuses what is no table', async () => {
  const { body } = await salus.call('POST', '/v2/import/preview', {
    content: TABLE,
    template: TEMPLATE,
  })
  assert.deepEqual([body.delimiter, body.has_head, body.rows.length], [';', true, 2])
  assert.deepEqual(
    body.results.map(({ becomes }: { becomes: { value?: number; refused?: string }[] }) =>
      becomes.map(({ value, refused }) => value ?? refused),
    ),
    [[5.6], ['invalid_value']],
  )
  const other = { content: 'a,b\n1,2\n', template: TEMPLATE }
  assert.deepEqual(errorOf(await salus.call('POST', '/v2/import/preview', other)), [
    400,
    'unreadable_table',
  ])
})

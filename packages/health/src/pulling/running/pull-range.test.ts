import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import type {
  Collection,
  DetailRequest,
  FetchJson,
  PageRequest,
  VendorRequest,
} from '../../connectors/index.ts'
import { PageData, VendorError, type VendorFailure } from '../../connectors/index.ts'
import { pullPage } from './pull-range.ts'

const REQUEST: PageRequest = { range: { from: 0, to: 1000 }, cursor: '2', context: NO_CONTEXT }

/** Pulls a page of a collection with one detail, to which the vendor answers with a failure. */
async function pull(detail: DetailRequest, failure: VendorFailure) {
  const mapped: unknown[] = []
  const collection: Pick<Collection, 'page' | 'details' | 'map' | 'next'> = {
    page: () => ({ path: '/list' }),
    details: () => [detail, { path: '/good' }],
    map(answer, _data, details, request) {
      mapped.push(answer, details, request)
    },
    next: (_answer, { range, cursor }) => `${Number(cursor) + 1} until ${range.to}`,
  }
  const fetchJson: FetchJson = async (wanted) => {
    const { path } = wanted as VendorRequest
    if (path === (detail as VendorRequest).path) throw new VendorError('oura', failure)
    return path
  }
  const data = new PageData({ userId: 'u', provider: 'oura' })
  const session = { fetchJson, context: NO_CONTEXT }
  return { next: await pullPage(session, collection as Collection, REQUEST, data), mapped }
}

test('a page is mapped and continued by its range and cursor', async () => {
  const { next, mapped } = await pull({ path: '/streams', isOptional: true }, { kind: 'refused' })
  assert.equal(next, '3 until 1000')
  assert.deepEqual(mapped, ['/list', [undefined, '/good'], REQUEST])
})

test('a page needs no optional detail that is missing or refused, and any other one', async () => {
  const missing = { kind: 'unexpected', status: 404 } as const
  const { mapped } = await pull({ path: '/streams', isOptional: true }, missing)
  assert.deepEqual(mapped[1], [undefined, '/good'])
  for (const [detail, failure] of [
    [{ path: '/streams' }, missing],
    [{ path: '/streams', isOptional: true }, { kind: 'unavailable' }],
    [
      { path: '/streams', isOptional: true },
      { kind: 'unexpected', status: 400 },
    ],
  ] as const) {
    await assert.rejects(pull(detail, failure), VendorError)
  }
})

/** Pulls a page of a collection from a vendor that answers each path with itself. */
async function pullOf(collection: Partial<Collection>, range = { from: 0, to: 1000 }) {
  const mapped: unknown[] = []
  const whole: Partial<Collection> = {
    page: () => ({ path: '/list' }),
    next: () => 'next',
    map: (answer, _data, details) => void mapped.push(answer, ...details),
    ...collection,
  }
  const fetchJson: FetchJson = async (wanted) => {
    const { path, decode = String } = wanted as VendorRequest
    return decode(Buffer.from(path))
  }
  const context = { ...NO_CONTEXT, extra: { zone: 'Europe/Berlin' } }
  const data = new PageData({ userId: 'u', provider: 'oura' })
  const request = { range, cursor: null }
  const next = await pullPage({ fetchJson, context }, whole as Collection, request, data)
  return { next, mapped }
}

test('a page depends on what the vendor said at the sign-in', async () => {
  const { mapped } = await pullOf({
    page: (_range, cursor, { extra }) => ({ path: `/${extra.zone}/${cursor}` }),
    details: (_answer, { context }) => [{ path: `/detail/${context.extra.zone}` }],
  })
  assert.deepEqual(mapped, ['/Europe/Berlin/null', '/detail/Europe/Berlin'])
})

test('answers that are no JSON are read by the collection, or by their request', async () => {
  const own = (bytes: Buffer) => `own ${bytes}`
  const { mapped } = await pullOf({
    decode: (bytes, { extra }) => `${extra.zone} ${bytes}`,
    details: () => [{ path: '/a' }, { path: '/b', decode: own }],
  })
  assert.deepEqual(mapped, ['Europe/Berlin /list', 'Europe/Berlin /a', 'own /b'])
})

test('a detail with details is mapped with their answers', async () => {
  const { mapped } = await pullOf({
    details: () => [
      { path: '/day', details: (answer) => [{ path: `${answer}/1` }, { path: `${answer}/2` }] },
    ],
  })
  assert.deepEqual(mapped, ['/list', { answer: '/day', details: ['/day/1', '/day/2'] }])
})

test('a walk from the newest record ends at the page that precedes the range', async () => {
  for (const [oldest, next] of [
    [500, 'next'],
    [100, 'next'],
    [99, null],
    [null, 'next'],
  ] as const) {
    const walk = { history: 'newest_first', oldestOf: () => oldest } as const
    assert.equal((await pullOf(walk, { from: 100, to: 1000 })).next, next)
  }
})

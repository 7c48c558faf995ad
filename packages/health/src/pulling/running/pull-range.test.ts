import assert from 'node:assert/strict'
import { test } from 'node:test'
import type {
  Collection,
  DetailRequest,
  FetchJson,
  PageRequest,
  VendorRequest,
} from '../../connectors/index.ts'
import { PageData, VendorError, type VendorFailure } from '../../connectors/index.ts'
import { pullPage } from './pull-range.ts'

const REQUEST: PageRequest = { range: { from: 0, to: 1000 }, cursor: '2' }

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
  return { next: await pullPage(fetchJson, collection as Collection, REQUEST, data), mapped }
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

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../synthetic/random.ts'
import { listHostileImages, makeHarmlessImages } from '../../test/hostile-images.ts'
import { HARMLESS_PDFS, listHostilePdfs, mutate } from '../../test/hostile-pdfs.ts'
import { survive } from '../../test/survive.ts'

const engine = new URL('../../test/page-engine.ts', import.meta.url).href
const SEED = 20_261_122

test('hostile and damaged files end as the contract says, and the parser goes on', async () => {
  const random = createRandom(SEED)
  const all = [...listHostilePdfs(), ...(await listHostileImages())]
  const some = all.filter((_, index) => index % 6 === 2)
  const harmless = [...HARMLESS_PDFS, ...(await makeHarmlessImages())]
  const damaged = harmless.map((bytes, index) => {
    const mutation = mutate(bytes, random)
    return { name: `${index}: ${mutation.kind}`, make: () => mutation.bytes }
  })
  const endings = await survive([...some, ...damaged], { timeoutMs: 2_000, engine })
  assert.equal(endings.size, some.length + damaged.length)
})

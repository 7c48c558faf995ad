import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRandom } from '../../synthetic/random.ts'
import { listHostileImages, makeHarmlessImages } from '../../test/hostile-images.ts'
import {
  HARMLESS_PDFS,
  type HostileFile,
  listHostilePdfs,
  mutate,
} from '../../test/hostile-pdfs.ts'
import { survive } from '../../test/survive.ts'

const SEED = 14
const MUTATIONS = 130

test('bombs, loops and impossible sizes end as the contract says with the whole parser', async (context) => {
  const files = [...listHostilePdfs(), ...(await listHostileImages())]
  const endings = await survive(files, { timeoutMs: 15_000 })
  for (const [name, ending] of endings) context.diagnostic(`${name}: ${ending}`)
  assert.equal(endings.size, files.length)
})

test('damaged files end as the contract says, whatever was damaged', async (context) => {
  const random = createRandom(SEED)
  const harmless = [...HARMLESS_PDFS, ...(await makeHarmlessImages())]
  const files: HostileFile[] = Array.from({ length: MUTATIONS }, (_, index) => {
    const { kind, bytes } = mutate(random.pick(harmless), random)
    return { name: `${index}: ${kind}`, make: () => bytes }
  })
  const endings = await survive(files, { timeoutMs: 15_000 })
  const counts = Map.groupBy(endings.values(), (ending) => ending)
  for (const [ending, all] of counts) context.diagnostic(`${ending}: ${all.length}`)
  assert.equal(endings.size, MUTATIONS)
})

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { AppError } from '../errors.ts'
import { Batcher } from './batcher.ts'

const members = Array.from({ length: 100 }, (_, index) => index)

describe('a batch that fails', () => {
  const fault = new Error('bad')

  /** Adds all members at once; those that are bad fail every batch that they are in. */
  async function addAll(bad: ReadonlySet<number>, error = fault) {
    const tries: number[] = []
    const batcher = new Batcher<number, number>({
      name: 'numbers',
      waitMs: 0,
      flush: async (batch) => {
        tries.push(batch.length)
        if (batch.some((member) => bad.has(member))) throw error
        return batch.map((member) => member * 2)
      },
    })
    const added = members.map((work) => batcher.add([{ work, size: 1 }]))
    const results = await Promise.allSettled(added)
    await batcher.idle()
    return { results, tries }
  }

  test('is halved until only its bad caller fails', async () => {
    const { results, tries } = await addAll(new Set([63]))
    for (const [index, result] of results.entries()) {
      if (result.status === 'fulfilled') assert.deepEqual(result.value, [index * 2])
      else assert.deepEqual([index, result.reason], [63, fault])
    }
    assert.ok(tries.length <= 15, `${tries.length} tries`)
  })

  test('of bad callers only is given up after some tries', async () => {
    const { results, tries } = await addAll(new Set(members))
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.ok(tries.length <= 25, `${tries.length} tries`)
  })

  test('for a reason that no caller caused is not tried again', async () => {
    const { results, tries } = await addAll(new Set([1]), new AppError(503, 'overloaded', 'Busy.'))
    assert.ok(results.every(({ status }) => status === 'rejected'))
    assert.equal(tries.length, 1)
  })
})

describe('batches', () => {
  test('hold what came meanwhile, in its order, up to their size', async () => {
    const batches: number[][] = []
    const batcher = new Batcher<number, undefined>({
      name: 'numbers',
      waitMs: 1,
      maxBatchSize: 40,
      flush: async (batch) => {
        batches.push([...batch])
        return batch.map(() => undefined)
      },
    })
    await Promise.all(members.map((work) => batcher.add([{ work, size: 1 }])))
    assert.deepEqual(batches.flat(), members)
    assert.deepEqual(
      batches.map(({ length }) => length),
      [40, 40, 20],
    )
  })

  test('overlap only where one lets the next begin, and never more than allowed', async () => {
    const log: string[] = []
    const batcher = new Batcher<number, undefined>({
      name: 'numbers',
      waitMs: 0,
      maxBatchSize: 1,
      maxBatches: 2,
      flush: async ([member = 0], beginNext) => {
        log.push(`begin ${member}`)
        if (member % 2 === 0) beginNext()
        await new Promise((resolve) => setTimeout(resolve, 5))
        log.push(`end ${member}`)
        return [undefined]
      },
    })
    await batcher.add([0, 1, 2].map((work) => ({ work, size: 1 })))
    assert.deepEqual(log, ['begin 0', 'begin 1', 'end 0', 'end 1', 'begin 2', 'end 2'])
  })

  test('begin beside another one only with enough work, and with any when all have ended', async () => {
    const batches: number[] = []
    const ends: (() => void)[] = []
    const batcher = new Batcher<number, undefined>({
      ...{ name: 'numbers', waitMs: 0, maxBatches: 2, leastFurtherSize: 3 },
      async flush(batch, beginNext) {
        batches.push(batch.length)
        beginNext()
        await new Promise<void>((resolve) => ends.push(resolve))
        return batch.map(() => undefined)
      },
    })
    const passTurns = async () => {
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate)
    }
    const add = async (count: number) => {
      const added = Array.from({ length: count }, (_, work) => batcher.add([{ work, size: 1 }]))
      await passTurns()
      return added
    }
    const all = [await add(1), await add(2)]
    assert.deepEqual(batches, [1])
    all.push(await add(1))
    assert.deepEqual(batches, [1, 3])
    all.push(await add(1))
    for (const end of ends.splice(0)) end()
    await passTurns()
    assert.deepEqual(batches, [1, 3, 1])
    for (const end of ends.splice(0)) end()
    await Promise.all(all.flat())
    await batcher.idle()
  })

  test('take along what lingers, which else waits for its time', async () => {
    const batches: number[][] = []
    const batcher = new Batcher<number, undefined>({
      name: 'numbers',
      waitMs: 0,
      lingerMs: 40,
      flush: async (batch) => {
        batches.push([...batch])
        await new Promise((resolve) => setTimeout(resolve, 5))
        return batch.map(() => undefined)
      },
    })
    const first = batcher.addLingering({ work: 1, size: 1 })
    const second = batcher.add([{ work: 2, size: 1 }])
    await new Promise((resolve) => setTimeout(resolve, 2))
    // Comes while a batch is under way, and makes no batch of its own right behind it.
    const others = [3, 4].map((work) => batcher.addLingering({ work, size: 1 }))
    await Promise.all([first, second])
    assert.deepEqual(batches, [[1, 2]])
    await Promise.all(others)
    assert.deepEqual(batches, [
      [1, 2],
      [3, 4],
    ])
    const last = batcher.addLingering({ work: 5, size: 1 })
    await batcher.idle()
    assert.deepEqual([await last, batches.at(-1)], [undefined, [5]])
  })

  test('that wait for too long a time make further callers come back later', async () => {
    const gate = Promise.withResolvers<void>()
    const batcher = new Batcher<number, number>({
      name: 'numbers',
      waitMs: 0,
      maxBatchSize: 1,
      maxWaitingSize: 2,
      flush: async (batch) => {
        await gate.promise
        return batch
      },
    })
    // What is larger than the limit is taken when nothing waits.
    const first = batcher.add([1, 2, 3].map((work) => ({ work, size: 1 })))
    await assert.rejects(batcher.add([{ work: 4, size: 1 }]), { status: 503 })
    gate.resolve()
    assert.deepEqual(await first, [1, 2, 3])
    await batcher.idle()
    assert.deepEqual(await batcher.add([{ work: 5, size: 1 }]), [5])
  })
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SharedRead } from './shared-read.ts'

/** Reads that end when the test says. */
function heldReads() {
  const held: PromiseWithResolvers<string>[] = []
  const shared = new SharedRead(() => {
    const one = Promise.withResolvers<string>()
    held.push(one)
    return one.promise
  })
  return { held, get: () => shared.get() }
}

test('callers during a read share one that begins after it', async () => {
  const { held, get } = heldReads()
  const first = get()
  const [second, third] = [get(), get()]
  assert.equal(held.length, 1)
  held[0]?.resolve('one')
  assert.equal(await first, 'one')
  await Promise.resolve()
  assert.equal(held.length, 2)
  held[1]?.resolve('two')
  assert.deepEqual(await Promise.all([second, third]), ['two', 'two'])
  void get()
  assert.equal(held.length, 3)
})

test('a read that fails fails its callers, and not those of the next one', async () => {
  const { held, get } = heldReads()
  const first = get()
  const second = get()
  held[0]?.reject(new Error('gone'))
  await assert.rejects(first, /gone/)
  await Promise.resolve()
  held[1]?.resolve('back')
  assert.equal(await second, 'back')
})

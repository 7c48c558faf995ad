import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { useFixture } from './use-fixture.ts'

class Counter {
  #count = 0
  isClosed = false
  name = 'first'

  add(): number {
    this.#count += 1
    return this.#count
  }

  close(): void {
    this.isClosed = true
  }
}

const counter = new Counter()

describe('a fixture', () => {
  const opened = useFixture(() => Promise.resolve(counter))
  assert.throws(() => opened.isClosed, /open only while tests run/)

  before(() => assert.equal(opened.add(), 1))

  test('is open in the hooks and tests that come after it', () => {
    assert.equal(opened.add(), 2)
    assert.equal(opened.isClosed, false)
    opened.name = 'second'
    assert.equal(counter.name, 'second')
  })
})

test('a fixture is closed after its tests', () => assert.equal(counter.isClosed, true))

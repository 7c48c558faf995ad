import { after, before } from 'node:test'

/**
 * Opens a fixture before the tests of a file and closes it after them. Its hooks run ahead of those
 * that the file adds later. Only tests and hooks may use it: it is not open while the file loads.
 */
export function useFixture<Fixture extends { close(): unknown }>(
  open: () => Promise<Fixture>,
): Fixture {
  let opened: Fixture | undefined
  before(async () => {
    opened = await open()
  })
  after(() => opened?.close())
  return lazily(() => {
    if (opened === undefined) throw new Error('A fixture is open only while tests run.')
    return opened
  })
}

/** Returns an object that finds its target anew each time it is used. */
export function lazily<Target extends object>(find: () => Target): Target {
  return new Proxy({} as Target, {
    get(_proxied, name) {
      const target = find()
      const value: unknown = Reflect.get(target, name)
      // A method of a class with private fields must not have the proxy as its `this`.
      return typeof value === 'function' ? value.bind(target) : value
    },
    set: (_proxied, name, value) => Reflect.set(find(), name, value),
  })
}

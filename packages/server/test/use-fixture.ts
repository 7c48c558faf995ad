import { after, before } from 'node:test'

/**
 * Opens what the tests of a file work on before they run, and closes it after them, ahead of the
 * hooks that come below. Only tests and hooks may use what is returned: until then it is not open.
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

/** An object that looks another one up each time it is used. */
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

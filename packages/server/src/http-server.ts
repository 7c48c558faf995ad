import { createServer } from 'node:net'
import { StartupError } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import type { Config } from './config.ts'
import type { Patience } from './shutdown.ts'

interface Address extends Pick<Config, 'port' | 'host'> {
  /** Name of the setting that the port is from. */
  portSetting?: string
}

/** Binds the port for a moment, so that a taken one is reported before the databases start. */
export function refuseTakenPort(address: Address): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const probe = createServer()
  const { port, host } = address
  probe.once('error', (error: NodeJS.ErrnoException) => reject(explainListen(error, address)))
  probe.listen(port, host, () => probe.close(() => resolve()))
  return promise
}

/**
 * @returns the URL of the server
 * @throws StartupError when the port cannot be bound
 */
export function listen(app: App, address: Address): Promise<string> {
  const { port, host } = address
  return app.listen({ port, host }).catch((error: NodeJS.ErrnoException) => {
    throw explainListen(error, address)
  })
}

function explainListen(error: NodeJS.ErrnoException, address: Address): StartupError {
  const { port, host, portSetting = 'PORT' } = address
  const say = (message: string) => new StartupError(message, { cause: error })
  if (error.code === 'EADDRINUSE') {
    return say(
      `Port ${port} on ${host} is taken. Stop what listens there, or set ${portSetting} to another number.`,
    )
  }
  if (error.code === 'EACCES') {
    return say(`Port ${port} needs more rights. Set ${portSetting} to 1024 or more.`)
  }
  return say(`Cannot listen on ${host}:${port} (${error.code}). Check HOST and ${portSetting}.`)
}

/**
 * Waits for requests in flight, and cuts those that take too long; none of those was acknowledged.
 * Idle connections are closed meanwhile.
 */
export async function closeServer(app: App, { requestsMs }: Patience): Promise<void> {
  const sweep = setInterval(() => app.server.closeIdleConnections(), 50)
  const deadline = setTimeout(() => app.server.closeAllConnections(), requestsMs)
  try {
    await app.close()
  } finally {
    clearInterval(sweep)
    clearTimeout(deadline)
  }
}

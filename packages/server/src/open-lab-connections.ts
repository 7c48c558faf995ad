import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import type { Stores } from '@salus/kernel/scope'
import { type ConnectionParts, ConnectionRegistry } from '@salus/lab/connections'
import {
  describeMessage,
  findConnectionProblems,
  locateProblem,
  openConnection,
} from '@salus/lab-gateways'
import type { ServicesOptions } from './background-jobs.ts'

/** Opens the stored connections to laboratories. Only operators name their addresses. */
export function openLabConnections(
  options: Pick<ServicesOptions, keyof Stores | 'pool' | 'secrets'>,
): ConnectionParts {
  const { clock, log, secrets } = options
  const agent = createOutboundAgent({ allowPrivate: true })
  const parts = { agent, clock, log }
  const registry = new ConnectionRegistry({
    ...options,
    openConnection: (connection, store) => openConnection(connection, store, parts),
  })
  return { secrets, registry, checkConfig: checkConnectionConfig, describeMessage, locateProblem }
}

/** Returns problems of a configuration, and warns of messages that travel in the clear. */
function checkConnectionConfig(
  config: Parameters<ConnectionParts['checkConfig']>[0],
): ReturnType<ConnectionParts['checkConfig']> {
  const problems = findConnectionProblems(config).map(({ path, message }) => ({
    path: path.split('.'),
    message,
    isWarning: false,
  }))
  const plain = (
    [
      ['orders', 'mllp'],
      ['results', 'mllp-listen'],
    ] as const
  ).filter(([part, kind]) => {
    const transport = config[part]
    return transport?.kind === kind && 'tls' in transport
      ? (transport.tls?.mode ?? 'off') === 'off'
      : transport?.kind === kind
  })
  const warnings = plain.map(([part]) => ({
    path: [part, 'tls'],
    message: `Messages of ${part} are not encrypted. Use a VPN, and bind to its address.`,
    isWarning: true,
  }))
  return [...problems, ...warnings]
}

import type { KeyObject } from 'node:crypto'
import type { EndpointHealth } from './endpoint-health.ts'

/** The data of an endpoint that sending needs, with opened secrets. */
export interface EndpointTarget {
  url: string
  /** Whether the deployment emulates the receiver, at a URL on its own machine. */
  isPlayed?: true
  headers: Record<string, string>
  /** The newest first, each with the time until which it may sign. */
  keys: { key: KeyObject; until: Date | null }[]
  rateLimit: number | null
  health: EndpointHealth
}

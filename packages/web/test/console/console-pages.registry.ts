import type { Page } from 'playwright-core'
import type { ConsoleSite } from './console-site.ts'

export interface ConsolePage {
  name: string
  /** As ConsoleSite.open takes it. */
  path(site: ConsoleSite): string | Promise<string>
  /** What is done before the picture is taken. */
  prepare?(page: Page): Promise<void>
  /** How the documentation shows it. */
  inDocs?: 'light' | 'dark' | 'phone'
}

const at = (path: string) => () => path

async function findOrder(site: ConsoleSite, status: string): Promise<string> {
  const { orders } = await site.ask('GET', '/v3/orders?size=100')
  type Listed = { id: string; last_event: { status: string } }
  const order = orders.find(({ last_event }: Listed) => last_event.status.endsWith(status))
  return `orders/${order.id}`
}

async function findReport(site: ConsoleSite): Promise<string> {
  const { jobs } = await site.ask('GET', '/lab_report/v1/parser/job')
  const waiting = jobs.find(({ status }: { status: string }) => status === 'pending_review')
  return `reports/${(waiting ?? jobs[0]).id}`
}

async function findFirst(site: ConsoleSite, what: 'webhook' | 'event'): Promise<string> {
  const { data } = await site.manage('GET', `/team/${site.teamId}/sandbox/${what}`)
  return `${what}s/${data[0].id}`
}

/** Every page of the console, with what the demo team has to show there. */
export const CONSOLE_PAGES: readonly ConsolePage[] = [
  { name: 'signin', path: at('/signin') },
  { name: 'start', path: at('/start'), inDocs: 'light' },
  { name: 'people', path: at('people') },
  { name: 'person', path: ({ users }) => `people/${users.ines}`, inDocs: 'light' },
  { name: 'person-glucose', path: ({ users }) => `people/${users.omar}` },
  { name: 'person-laboratory', path: ({ users }) => `people/${users.lena}` },
  { name: 'person-in-trouble', path: ({ users }) => `people/${users.sam}` },
  { name: 'person-without-data', path: ({ users }) => `people/${users.nora}` },
  { name: 'orders', path: at('orders'), inDocs: 'light' },
  { name: 'order', path: (site) => findOrder(site, 'appointment_scheduled') },
  { name: 'order-completed', path: (site) => findOrder(site, '.completed') },
  { name: 'new-order', path: at('orders/new') },
  { name: 'catalog', path: at('catalog') },
  { name: 'matching', path: at('matching') },
  { name: 'reports', path: at('reports') },
  { name: 'report', path: findReport, inDocs: 'light' },
  { name: 'sandbox', path: at('sandbox') },
  { name: 'webhooks', path: at('webhooks') },
  { name: 'webhook', path: (site) => findFirst(site, 'webhook'), inDocs: 'dark' },
  { name: 'events', path: at('events') },
  { name: 'event', path: (site) => findFirst(site, 'event') },
  { name: 'event-types', path: at('event-types') },
  { name: 'queries', path: at('queries'), inDocs: 'dark' },
  { name: 'continuous-queries', path: at('queries/continuous') },
  { name: 'settings', path: at('settings') },
  { name: 'operation', path: at('/operation') },
  { name: 'audit', path: at('/operation/audit') },
]

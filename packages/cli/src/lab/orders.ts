import type { Command } from 'commander'
import { callApi } from '../connection/api-client.ts'
import { readConnection } from '../connection/config.ts'
import { formatCount } from '../terminal/number-format.ts'
import { collectValue, wholeNumber } from '../terminal/option-values.ts'
import { formatFields, formatTable } from '../terminal/table.ts'
import { findUser, type UserChoice } from '../users/users.ts'

/** Fields of an order that the commands print: no names and no addresses. */
interface Order {
  id: string
  user_id: string
  created_at: string
  lab_test: { name: string; method: string; lab: { name: string } | null }
  last_event: { status: string; created_at: string } | null
  events: { status: string; created_at: string; status_detail: string | null }[]
  interpretation: string | null
  expected_result_by_date: string | null
  requisition_form_url: string | null
}

interface ListOptions extends UserChoice {
  status?: string[]
  limit: number
  page: number
  json?: boolean
}

/** Adds the commands about laboratory orders. */
export function addOrderCommands(program: Command): void {
  const orders = program.command('orders').description('laboratory orders')
  orders
    .command('list')
    .description('list orders, newest first')
    .option('--user <id>', 'only orders of this person, by user id')
    .option('--client-user-id <id>', 'only orders of this person, by client user id')
    .option(
      '--status <name>',
      'only orders in this state, such as completed; repeatable',
      collectValue,
    )
    .option('--limit <number>', 'maximum number', wholeNumber(1, 100), 20)
    .option('--page <number>', 'number of the page', wholeNumber(1, 1_000_000), 1)
    .option('--json', 'print the response of the server')
    .action(listOrders)
  orders
    .command('show')
    .description('show an order with its events')
    .argument('<order_id>')
    .option('--json', 'print the response of the server, with name and address')
    .action(showOrder)
}

async function listOrders(options: ListOptions, command: Command): Promise<void> {
  const connection = readConnection(command)
  const isOfOne = options.user !== undefined || options.clientUserId !== undefined
  const userId = isOfOne ? (await findUser(connection, options)).user_id : undefined
  const { limit: size, page, status } = options
  const list = await callApi<{ orders: Order[]; total: number }>(connection, 'GET', '/v3/orders', {
    query: { user_id: userId, size, page, status },
  })
  if (options.json) return console.log(JSON.stringify(list, null, 2))
  if (list.orders.length === 0) return console.error('No orders.')
  console.log(formatTable(COLUMNS, list.orders))
  if (page * size < list.total) {
    console.error(`\n${formatCount(list.total)} orders in all; next: --page ${page + 1}`)
  }
}

/** The last part of `received.walk_in_test.requisition_created` is the status. */
const lastPart = (status: string | undefined): string => status?.split('.').at(-1) ?? '–'

const COLUMNS = [
  { title: 'Order id', text: ({ id }: Order) => id },
  { title: 'Created', text: (order: Order) => order.created_at.slice(0, 10) },
  { title: 'Status', text: (order: Order) => lastPart(order.last_event?.status) },
  { title: 'Lab test', text: ({ lab_test: test }: Order) => test.name },
]

async function showOrder(id: string, options: { json?: boolean }, command: Command): Promise<void> {
  const path = `/v3/order/${encodeURIComponent(id)}`
  const order = await callApi<Order>(readConnection(command), 'GET', path)
  if (options.json) return console.log(JSON.stringify(order, null, 2))
  const { lab_test: test } = order
  console.log(
    formatFields([
      ['Order id', order.id],
      ['User id', order.user_id],
      ['Lab test', test.name],
      ['Collection', test.method],
      ['Laboratory', test.lab?.name],
      ['Interpretation', order.interpretation],
      ['Results expected', order.expected_result_by_date],
      ['Requisition', order.requisition_form_url],
    ]),
  )
  console.log(`\n${formatTable(EVENT_COLUMNS, order.events)}`)
}

type OrderEvent = Order['events'][number]

const EVENT_COLUMNS = [
  { title: 'Time', text: (event: OrderEvent) => event.created_at },
  { title: 'Status', text: ({ status }: OrderEvent) => status },
  { title: 'Detail', text: (event: OrderEvent) => event.status_detail ?? '' },
]

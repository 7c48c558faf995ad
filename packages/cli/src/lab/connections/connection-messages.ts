import { type Command, Option } from 'commander'
import { callManagement } from '../../connection/api-client.ts'
import { addEnvironmentOptions } from '../../keys/environment-options.ts'
import { wholeNumber } from '../../terminal/option-values.ts'
import { type Column, formatFields, formatTable } from '../../terminal/table.ts'
import { type ConnectionChoice, findConnection } from './found-connection.ts'

interface Outgoing {
  id: string
  purpose: string
  order_id: string
  control_id: string
  state: string
  answer_code: string | null
  answer_location: string | null
  problem: string | null
  created_at: string
}

interface Received {
  id: string
  order_id: string | null
  control_id: string | null
  state: string
  problem: string | null
  received_at: string
}

interface Segment {
  segment: string
  title: string | null
  fields: { field: string; name: string | null; value: string; is_cut: boolean }[]
}

interface Detail {
  state: string
  problem: string | null
  message?: string | null
  problem_location?: string | null
  segments: Segment[] | null
  answer_segments?: Segment[] | null
}

const STATES = [
  ...['waiting', 'accepted', 'committed', 'refused'],
  ...['processed', 'ignored', 'held', 'failed', 'discarded'],
]

interface ListOptions extends ConnectionChoice {
  received?: boolean
  state?: string
  limit: number
}

/** Adds the commands that list, show and send messages of connections. */
export function addMessageCommands(group: Command): void {
  addListCommand(group)
  addShowCommand(group)
  addResendCommand(group)
}

function addListCommand(group: Command): void {
  const command = group
    .command('messages')
    .description('list messages to the laboratory, newest first, or those of it')
    .argument('<name>', 'name of the connection')
    .option('--received', 'messages of the laboratory')
    .addOption(new Option('--state <state>', 'only messages in this state').choices(STATES))
    .option('--limit <number>', 'maximum number', wholeNumber(1, 200), 50)
    .option('--json', 'print the list as JSON')
  addEnvironmentOptions(command).action(async (name: string, options: ListOptions, self) => {
    const { connection, path } = await findConnection(self, options, name)
    const { received, state, limit, json } = options
    const list = `${path}/${received ? 'received' : 'message'}`
    const query = { state, limit }
    type Page = { data: (Outgoing & Received)[]; next_cursor: string | null }
    const found = await callManagement<Page>(connection, 'GET', list, { query })
    if (json) return console.log(JSON.stringify(found.data, null, 2))
    if (found.data.length === 0) return console.error('No messages.')
    console.log(received ? formatTable(RECEIVED, found.data) : formatTable(OUTGOING, found.data))
    if (found.next_cursor !== null) console.error('\nThere are older ones: see --limit.')
  })
}

const OUTGOING: Column<Outgoing>[] = [
  { title: 'Time', text: ({ created_at: at }) => at },
  { title: 'Id', text: ({ id }) => id },
  { title: 'Order', text: ({ order_id: id }) => id },
  { title: 'Purpose', text: ({ purpose }) => purpose },
  { title: 'State', text: ({ state }) => state },
  {
    title: 'Answer',
    text: ({ answer_code: code, answer_location: location, problem }) =>
      [code, location, problem].filter((part) => part !== null).join(' ') || '–',
  },
]

const RECEIVED: Column<Received>[] = [
  { title: 'Time', text: ({ received_at: at }) => at },
  { title: 'Id', text: ({ id }) => id },
  { title: 'Control id', text: ({ control_id: id }) => id ?? '–' },
  { title: 'Order', text: ({ order_id: id }) => id ?? '–' },
  { title: 'State', text: ({ state }) => state },
  { title: 'Problem', text: ({ problem }) => problem ?? '–' },
]

function addShowCommand(group: Command): void {
  const command = group
    .command('message')
    .description('show a message with its fields by name')
    .argument('<name>', 'name of the connection')
    .argument('<id>', 'id of the message, from "salus lab-connection messages"')
    .option('--received', 'a message of the laboratory')
    .option('--json', 'print the message as JSON')
    .addHelpText('after', '\nIt prints personal data, and the audit log records it.')
  addEnvironmentOptions(command).action(
    async (name: string, id: string, options: ListOptions, self: Command) => {
      const { connection, path } = await findConnection(self, options, name)
      const list = options.received ? 'received' : 'message'
      const address = `${path}/${list}/${encodeURIComponent(id)}`
      const found = await callManagement<Detail>(connection, 'GET', address)
      console.log(options.json ? JSON.stringify(found, null, 2) : formatMessage(found))
    },
  )
}

function formatMessage(found: Detail): string {
  const head = formatFields([
    ['State', found.state],
    ['Problem', found.problem],
    ['Explanation', found.message],
    ['Location', found.problem_location],
  ])
  const answer = found.answer_segments
  return [
    head,
    formatSegments(found.segments),
    ...(answer ? [`Answer\n${formatSegments(answer)}`] : []),
  ].join('\n\n')
}

function formatSegments(segments: Segment[] | null): string {
  if (segments === null) return 'The content is no HL7 v2: see --json.'
  const rows = segments.flatMap(({ fields }) => fields)
  return formatTable(
    [
      { title: 'Field', text: ({ field }) => field },
      { title: 'Name', text: ({ name }) => name ?? '' },
      { title: 'Value', text: ({ value, is_cut: isCut }) => (isCut ? `${value}…` : value) },
    ],
    rows,
  )
}

function addResendCommand(group: Command): void {
  const command = group
    .command('resend')
    .description('send the bytes of a message again')
    .argument('<name>', 'name of the connection')
    .argument('<id>', 'id of the message, from "salus lab-connection messages"')
    .option('--json', 'print the message as JSON')
  addEnvironmentOptions(command).action(
    async (name: string, id: string, options: ConnectionChoice, self: Command) => {
      const { connection, path } = await findConnection(self, options, name)
      const address = `${path}/message/${encodeURIComponent(id)}/resend`
      const found = await callManagement<Outgoing>(connection, 'POST', address)
      if (options.json) return console.log(JSON.stringify(found, null, 2))
      console.log(`The message ${found.control_id} is sent again.`)
    },
  )
}

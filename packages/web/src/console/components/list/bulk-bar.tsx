import { Button, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { unwrapResponse } from '../../api/client.ts'
import type { Environment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { type Permission, usePermission } from '../../api/session.ts'
import { Dialog } from '../dialog.tsx'
import { Failure } from '../failure.tsx'
import type { Selection } from './selection.tsx'
import './list.css'

type RowResult = components['schemas']['RowResult']
type Batch = components['schemas']['Batch']

/** What can be done with all chosen rows. */
export interface BulkAction {
  /** Text of its button. */
  title: string
  permission: Permission
  /** What happens, and fields that it needs. */
  question: ReactNode
  /** Whether its fields are filled in. */
  isReady?: boolean
  /** Whether the user has to type the number of rows. */
  isTyped?: boolean
  /** Does it for at most 100 ids, and returns the outcome of each. */
  run: (ids: string[]) => Promise<RowResult[]>
}

/** Returns a function that repeats an operation of the API for ids. */
export const runBatch =
  ({ team }: Environment, operation: Batch['operation'], body?: Record<string, unknown>) =>
  async (ids: string[]): Promise<RowResult[]> => {
    const batch = { operation, ids, ...(body && { body }) }
    return (await unwrapResponse(team.POST('/v2/batch', { body: batch }))).results
  }

/** Rows of one request. */
const PART = 100

interface BulkBarProps {
  selection: Selection
  /** What a row is: `person`, with its plural. */
  noun: readonly [one: string, many: string]
  nameOf: (id: string) => string
  actions: readonly BulkAction[]
  /** Called when rows may have changed. */
  onDone: () => unknown
}

/** Says how many rows are chosen, and what can be done with them; nothing while none is. */
export function BulkBar(props: BulkBarProps): ReactNode {
  const { selection, noun, actions } = props
  const [open, setOpen] = useState<string>()
  const action = actions.find(({ title }) => title === open)
  const count = selection.ids.length
  if (count === 0 && action === undefined) return null
  return (
    <>
      {count > 0 && (
        <section className="bulk-bar" aria-label="Chosen rows">
          <strong role="status">{countOf(count, noun)} chosen</strong>
          {actions.map((one) => (
            <ActionButton key={one.title} action={one} onOpen={() => setOpen(one.title)} />
          ))}
          <Button variant="subtle" size="compact-sm" onClick={selection.clear}>
            Clear
          </Button>
        </section>
      )}
      {action !== undefined && (
        <ActionDialog {...props} action={action} onClose={() => setOpen(undefined)} />
      )}
    </>
  )
}

const countOf = (count: number, [one, many]: BulkBarProps['noun']): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

function ActionButton({ action, onOpen }: { action: BulkAction; onOpen: () => void }): ReactNode {
  if (!usePermission(action.permission)) return null
  return (
    <Button variant="default" size="compact-sm" onClick={onOpen}>
      {action.title}
    </Button>
  )
}

function useRun(action: BulkAction, onDone: () => unknown) {
  const [results, setResults] = useState<readonly RowResult[]>([])
  const mutation = useMutation({
    async mutationFn(ids: readonly string[]) {
      const all: RowResult[] = []
      for (let first = 0; first < ids.length; first += PART) {
        all.push(...(await action.run(ids.slice(first, first + PART))))
        setResults([...all])
      }
    },
    onSettled: onDone,
  })
  return { results, mutation }
}

function ActionDialog(
  props: BulkBarProps & { action: BulkAction; onClose: () => void },
): ReactNode {
  const { action, selection, noun, nameOf, onDone, onClose } = props
  // Rows may leave the list while they are worked on.
  const [ids] = useState(selection.ids)
  const [typed, setTyped] = useState('')
  const { results, mutation } = useRun(action, onDone)
  const isTyped = action.isTyped !== true || typed.trim() === String(ids.length)
  const close = (): void => {
    if (mutation.isSuccess) selection.clear()
    onClose()
  }
  return (
    <Dialog
      title={`${action.title}: ${countOf(ids.length, noun)}`}
      isOpen
      onClose={close}
      actions={
        mutation.isIdle ? (
          <>
            <Button variant="subtle" onClick={close}>
              Do nothing
            </Button>
            <Button
              disabled={!isTyped || action.isReady === false}
              onClick={() => mutation.mutate(ids)}
            >
              {action.title}
            </Button>
          </>
        ) : (
          <Button loading={mutation.isPending} onClick={close}>
            Close
          </Button>
        )
      }
    >
      {mutation.isIdle ? (
        <>
          {action.question}
          {action.isTyped && (
            <TextInput
              label={`Type ${ids.length} to confirm`}
              autoComplete="off"
              value={typed}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </>
      ) : (
        <Outcome results={results} total={ids.length} nameOf={nameOf} error={mutation.error} />
      )}
    </Dialog>
  )
}

interface OutcomeProps {
  results: readonly RowResult[]
  total: number
  nameOf: (id: string) => string
  error: Error | null
}

/** Says of each row whether it was done, and why not. */
function Outcome({ results, total, nameOf, error }: OutcomeProps): ReactNode {
  const refused = results.filter(({ status }) => status >= 400)
  const left = total - results.length
  return (
    <>
      <p role="status">
        {results.length - refused.length} of {total} done
        {refused.length > 0 && `, ${refused.length} refused`}
        {left > 0 && (error === null ? `, ${left} waiting` : `, ${left} not tried`)}.
      </p>
      {refused.length > 0 && (
        <ul className="bulk-refused" aria-label="Refused">
          {refused.map((row) => (
            <li key={row.id}>
              {nameOf(row.id)}
              <span className="quiet">{reasonOf(row)}</span>
            </li>
          ))}
        </ul>
      )}
      {error !== null && <Failure error={error} />}
    </>
  )
}

/** Reasons for which there are plainer words than those of the API. */
const REASONS: Readonly<Record<string, string>> = {
  legal_hold: 'A legal hold keeps the data.',
  rate_limited: 'Refreshed too often within the hour.',
  export_running: 'An export is already running.',
  transition_not_allowed: 'The order can no longer be cancelled.',
  task_acknowledged: 'Another person has acknowledged the task.',
  task_ended: 'The task has already ended.',
  task_ends_with_reason: 'A task of this kind ends with its reason.',
  insufficient_scope: 'Your role does not allow it.',
  not_dispatched: 'The event has not been sent for the first time yet.',
}

const reasonOf = ({ error_type: type, error_message: message, status }: RowResult): string =>
  REASONS[type ?? ''] ?? message ?? `Status ${status}`

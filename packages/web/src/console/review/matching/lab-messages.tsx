import { Button, NativeSelect } from '@mantine/core'
import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Environment, useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { Allowed } from '../../components/allowed.tsx'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Failure } from '../../components/failure.tsx'
import { Instant } from '../../components/instant.tsx'
import { StatusBadge } from '../../components/status-badge.tsx'
import { useViewState } from '../../shell/view-state.ts'
import { MessageDetails } from './message-details.tsx'

type LabMessage = components['schemas']['LabMessage']

const nameOf = ({ key }: Environment) => [...key, 'lab messages'] as const

/** Lists messages of laboratories that could not be applied, or wait for a retry. */
export function LabMessages(): ReactNode {
  const environment = useEnvironment()
  const [{ state }, change] = useViewState({ state: 'failed' })
  const [opened, setOpened] = useState<LabMessage>()
  const list = useLabMessages(environment, state as 'failed' | 'waiting')
  const rows = useMemo(() => list.data?.pages.flatMap(({ data }) => data), [list.data])
  const columns = useMemo(() => columnsOf(setOpened), [])
  return (
    <>
      <NativeSelect
        className="matching-filter"
        label="State"
        value={state}
        data={[
          { value: 'failed', label: 'Failed' },
          { value: 'waiting', label: 'Waiting for retry' },
        ]}
        onChange={({ currentTarget }) => change({ state: currentTarget.value })}
      />
      {list.error !== null && rows === undefined ? (
        <Failure error={list.error} onRetry={() => list.refetch()} />
      ) : (
        <DataTable
          label="Laboratory messages"
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          more={list}
          empty={
            <EmptyState
              title={state === 'waiting' ? 'No messages are waiting.' : 'No failed messages.'}
            >
              Messages are stored before they are acknowledged. A message that cannot be applied
              stays here until you retry it or give it up.
            </EmptyState>
          }
        />
      )}
      <MessageDialog message={opened} onClose={() => setOpened(undefined)} />
    </>
  )
}

function useLabMessages(environment: Environment, state: 'failed' | 'waiting') {
  return useInfiniteQuery({
    queryKey: [...nameOf(environment), state],
    queryFn: ({ pageParam, signal }) =>
      unwrapResponse(
        management.GET('/v1/org/{org_id}/team/{team_id}/{env}/lab_message', {
          params: {
            path: environment.path,
            query: { state, limit: 50, ...(pageParam && { next_cursor: pageParam }) },
          },
          signal,
        }),
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor: cursor }) => cursor ?? undefined,
  })
}

const PROBLEM_CLASS = {
  unreadable: { label: 'Not readable', tone: 'bad' },
  refused: { label: 'Refused', tone: 'warning' },
  fault: { label: 'Internal error', tone: 'bad' },
} as const

const columnsOf = (open: (message: LabMessage) => void): Column<LabMessage>[] => [
  {
    key: 'received',
    title: 'Received',
    render: ({ received_at: at }) => <Instant at={at} />,
  },
  { key: 'gateway', title: 'From', render: ({ gateway }) => gateway },
  {
    key: 'problem',
    title: 'Error',
    width: 'minmax(0, 2.2fr)',
    render: ({ problem_class: problem, message }) => (
      <span className="matching-problem">
        {problem !== null && (
          <StatusBadge tone={PROBLEM_CLASS[problem].tone}>
            {PROBLEM_CLASS[problem].label}
          </StatusBadge>
        )}
        {message}
      </span>
    ),
  },
  {
    key: 'attempts',
    title: 'Attempts',
    width: '5rem',
    isNumeric: true,
    render: ({ failed_attempts: attempts }) => attempts,
  },
  {
    key: 'open',
    title: 'Details',
    width: '6rem',
    render: (message) => (
      <Button variant="subtle" size="compact-sm" onClick={() => open(message)}>
        Details
      </Button>
    ),
  },
]

interface MessageDialogProps {
  message: LabMessage | undefined
  onClose: () => void
}

/** Shows the facts about a message, and actions on it. */
function MessageDialog({ message, onClose }: MessageDialogProps): ReactNode {
  const act = useMessageCommand(onClose)
  const [isGivingUp, setGivingUp] = useState(false)
  const close = () => {
    setGivingUp(false)
    act.reset()
    onClose()
  }
  const command = (name: 'retry' | 'discard') => message && act.mutate({ id: message.id, name })
  return (
    <Dialog
      title="Laboratory message"
      isOpen={message !== undefined}
      onClose={close}
      actions={
        message?.state === 'failed' && (
          <>
            <Allowed to="results:write">
              <Button
                variant="subtle"
                loading={act.isPending && act.variables.name === 'discard'}
                onClick={() => (isGivingUp ? command('discard') : setGivingUp(true))}
              >
                {isGivingUp ? 'Confirm and give up' : 'Give up'}
              </Button>
            </Allowed>
            <Allowed to="results:write">
              <Button
                loading={act.isPending && act.variables.name === 'retry'}
                onClick={() => command('retry')}
              >
                Retry
              </Button>
            </Allowed>
          </>
        )
      }
    >
      {message !== undefined && <MessageDetails message={message} />}
      {isGivingUp && <p role="status">Its content is deleted, and can never be applied.</p>}
      {act.error !== null && <Failure error={act.error} />}
    </Dialog>
  )
}

function useMessageCommand(onDone: () => void) {
  const environment = useEnvironment()
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ id, name }: { id: string; name: 'retry' | 'discard' }) => {
      const params = { path: { ...environment.path, message_id: id } }
      return name === 'retry'
        ? unwrapResponse(
            management.POST(
              '/v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/retry',
              {
                params,
              },
            ),
          )
        : unwrapResponse(
            management.POST(
              '/v1/org/{org_id}/team/{team_id}/{env}/lab_message/{message_id}/discard',
              { params },
            ),
          )
    },
    onSuccess: () => {
      queryClient.invalidateQueries({ queryKey: nameOf(environment) })
      onDone()
    },
  })
}

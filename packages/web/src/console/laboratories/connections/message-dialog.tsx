import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { components } from '../../api/openapi.generated.d.ts'
import { Allowed } from '../../components/allowed.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Waiting } from '../../components/waiting.tsx'
import { useConnectionCommand, useMessage } from './connection-queries.ts'
import './message-dialog.css'

type Segment = components['schemas']['LabMessageSegment']

interface MessageDialogProps {
  connection: string
  direction: 'message' | 'received'
  id: string
  onClose: () => void
}

/** Shows a message with its fields by name, and has it sent or read again. */
export function MessageDialog({ connection, direction, id, onClose }: MessageDialogProps) {
  const { data, error } = useMessage(connection, direction, id)
  const act = useConnectionCommand(connection)
  const isRetryable = direction === 'received' && data?.state === 'failed'
  const name = direction === 'message' ? 'resend' : 'retry'
  return (
    <Dialog
      title={direction === 'message' ? 'Message to the laboratory' : 'Message of the laboratory'}
      isOpen
      onClose={onClose}
      actions={
        (direction === 'message' || isRetryable) && (
          <Allowed to="orders:write">
            <Button
              loading={act.isPending}
              onClick={() => act.mutate({ name, id }, { onSuccess: onClose })}
            >
              {name === 'resend' ? 'Send again' : 'Retry'}
            </Button>
          </Allowed>
        )
      }
    >
      {data === undefined && error === null && <Waiting label="Loading the message" lines={4} />}
      {error !== null && <Failure error={error} />}
      {act.error !== null && <Failure error={act.error} />}
      {data !== undefined && (
        <>
          {data.message !== null && (
            <p role="status">
              {data.message} {data.problem_location && <code>{data.problem_location}</code>}
            </p>
          )}
          <Segments label="Fields of the message" segments={data.segments} />
          {data.answer_segments && (
            <>
              <h3>Answer</h3>
              <Segments label="Fields of the answer" segments={data.answer_segments} />
            </>
          )}
        </>
      )}
    </Dialog>
  )
}

function Segments({ label, segments }: { label: string; segments: Segment[] | null }): ReactNode {
  if (segments === null) return <p>The content is no HL7 v2. The API returns its bytes.</p>
  return (
    <table className="message-fields" aria-label={label}>
      <thead>
        <tr>
          <th scope="col">Field</th>
          <th scope="col">Name</th>
          <th scope="col">Value</th>
        </tr>
      </thead>
      <tbody>
        {segments.flatMap(({ fields }, index) =>
          fields.map(({ field, name, value, is_cut: isCut }) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the segments of a message never change
            <tr key={`${index} ${field}`}>
              <td>
                <code>{field}</code>
              </td>
              <td>{name}</td>
              <td className="message-value">{isCut ? `${value}…` : value}</td>
            </tr>
          )),
        )}
      </tbody>
    </table>
  )
}

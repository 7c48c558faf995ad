import { ActionIcon, Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useEnvironment } from '../../api/environment.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { IconPlus, IconX } from '../../components/icons.tsx'
import { Section } from '../../components/page.tsx'
import { Waiting } from '../../components/waiting.tsx'

const HEADERS = '/v1/org/{org_id}/team/{team_id}/{env}/webhook/{webhook_id}/headers' as const

/** Shows the names of the custom headers of an endpoint, and replaces them. */
export function WebhookHeaders({ webhookId }: { webhookId: string }): ReactNode {
  const { key, path } = useEnvironment()
  const [isEditing, setEditing] = useState(false)
  const headers = useQuery({
    queryKey: [...key, 'webhook headers', webhookId],
    queryFn: ({ signal }) =>
      unwrapResponse(
        management.GET(HEADERS, { params: { path: { ...path, webhook_id: webhookId } }, signal }),
      ),
  })
  const names = headers.data?.sensitive ?? []
  return (
    <Section
      title="Headers"
      description="Sent with every message, such as an authorization that your gateway requires. Values are never shown again."
      actions={
        <Button variant="outline" onClick={() => setEditing(true)}>
          {names.length === 0 ? 'Add headers' : 'Replace headers'}
        </Button>
      }
    >
      {headers.isPending && <Waiting label="Loading the headers" lines={1} />}
      {headers.error !== null && (
        <Failure error={headers.error} onRetry={() => headers.refetch()} />
      )}
      {headers.data !== undefined &&
        (names.length === 0 ? (
          <p className="quiet webhooks-plain">No headers yet.</p>
        ) : (
          <ul className="webhooks-headers">
            {names.map((name) => (
              <li key={name}>
                <code>{name}: ••••</code>
              </li>
            ))}
          </ul>
        ))}
      <Dialog title="Headers" isOpen={isEditing} onClose={() => setEditing(false)}>
        <HeadersForm webhookId={webhookId} names={names} onDone={() => setEditing(false)} />
      </Dialog>
    </Section>
  )
}

interface Header {
  id: number
  name: string
  value: string
}

interface HeadersFormProps {
  webhookId: string
  names: readonly string[]
  onDone: () => void
}

let nextId = 0
const newHeader = (name = ''): Header => ({ id: nextId++, name, value: '' })

function HeadersForm({ webhookId, names, onDone }: HeadersFormProps): ReactNode {
  const { key, path } = useEnvironment()
  const [headers, setHeaders] = useState(() =>
    names.length === 0 ? [newHeader()] : names.map(newHeader),
  )
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.PUT(HEADERS, {
          params: { path: { ...path, webhook_id: webhookId } },
          body: {
            headers: Object.fromEntries(
              headers.filter(({ name }) => name !== '').map(({ name, value }) => [name, value]),
            ),
          },
        }),
      ),
    onSuccess: async () => {
      await queries.invalidateQueries({ queryKey: [...key, 'webhook headers', webhookId] })
      onDone()
    },
  })
  return (
    <form
      className="webhooks-form"
      onSubmit={(event) => {
        event.preventDefault()
        change.mutate()
      }}
    >
      <p>All headers are replaced, so enter the values of those that stay, too.</p>
      <HeaderRows headers={headers} onChange={setHeaders} />
      {change.error !== null && <Failure error={change.error} />}
      <div className="webhooks-form-actions">
        <Button type="submit" loading={change.isPending}>
          {headers.every(({ name }) => name === '') ? 'Save without headers' : 'Save headers'}
        </Button>
      </div>
    </form>
  )
}

interface HeaderRowsProps {
  headers: readonly Header[]
  onChange: (headers: Header[]) => void
}

function HeaderRows({ headers, onChange }: HeaderRowsProps): ReactNode {
  const change = (id: number, fields: Partial<Header>): void =>
    onChange(headers.map((header) => (header.id === id ? { ...header, ...fields } : header)))
  return (
    <>
      {headers.map(({ id, name, value }, index) => (
        <div key={id} className="webhooks-header-row">
          <TextInput
            aria-label={`Name of header ${index + 1}`}
            placeholder="x-api-key"
            autoComplete="off"
            value={name}
            onChange={({ currentTarget }) => change(id, { name: currentTarget.value.trim() })}
          />
          <TextInput
            aria-label={`Value of header ${index + 1}`}
            placeholder="Value"
            autoComplete="off"
            data-1p-ignore
            required={name !== ''}
            value={value}
            onChange={({ currentTarget }) => change(id, { value: currentTarget.value })}
          />
          <ActionIcon
            variant="subtle"
            size={36}
            aria-label={`Remove header ${index + 1}`}
            onClick={() => onChange(headers.filter((header) => header.id !== id))}
          >
            <IconX size={17} aria-hidden />
          </ActionIcon>
        </div>
      ))}
      <div>
        <Button
          variant="subtle"
          leftSection={<IconPlus size={16} aria-hidden />}
          onClick={() => onChange([...headers, newHeader()])}
        >
          Add header
        </Button>
      </div>
    </>
  )
}

import { Button, TextInput } from '@mantine/core'
import { startRegistration } from '@simplewebauthn/browser'
import { type FormEvent, type ReactNode, useMemo, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { EmptyState } from '../../components/empty-state.tsx'
import { Instant } from '../../components/instant.tsx'
import { Section } from '../../components/page.tsx'
import { describePasskeyError, hasPasskeys } from '../passkeys.ts'
import { RevokeDialog } from '../settings/revoke-dialog.tsx'
import { type Account, useAccountChange } from './account-queries.ts'

type Passkey = Account['passkeys'][number]

async function addPasskey(name: string): Promise<void> {
  const asked = management.POST('/v1/console/user/passkey/challenge')
  const optionsJSON = (await unwrapResponse(asked)) as never
  const response = (await startRegistration({ optionsJSON })) as never
  await unwrapResponse(management.POST('/v1/console/user/passkey', { body: { name, response } }))
}

async function removePasskey({ id }: Passkey): Promise<void> {
  const params = { path: { passkey_id: id } }
  await unwrapResponse(management.DELETE('/v1/console/user/passkey/{passkey_id}', { params }))
}

/** Lists the passkeys of the signed-in user. */
export function Passkeys({ account }: { account: Account }): ReactNode {
  const [isAdding, setAdding] = useState(false)
  const [doomed, setDoomed] = useState<Passkey>()
  const removal = useAccountChange(removePasskey)
  const columns = useMemo(() => columnsOf(setDoomed), [])
  const isPossible = account.passkeys_available && hasPasskeys()
  return (
    <Section
      title="Passkeys"
      description="A passkey signs you in without a password, with the lock of your phone or computer or a security key."
      actions={isPossible && <Button onClick={() => setAdding(true)}>Add passkey</Button>}
    >
      {!isPossible && (
        <p className="quiet">
          Passkeys need HTTPS and a host name, or localhost. This address has neither.
        </p>
      )}
      <DataTable
        label="Passkeys"
        columns={columns}
        rows={account.passkeys}
        rowKey={({ id }) => id}
        empty={<EmptyState title="No passkeys yet." />}
      />
      <Dialog title="Add passkey" isOpen={isAdding} onClose={() => setAdding(false)}>
        <NewPasskey onDone={() => setAdding(false)} />
      </Dialog>
      <RevokeDialog
        item={doomed}
        title={`Remove the passkey “${doomed?.name}”?`}
        action="Remove passkey"
        onRevoke={(passkey) => removal.mutateAsync(passkey)}
        onClose={() => setDoomed(undefined)}
      >
        It does not sign you in any more. Remove it from the device, too.
      </RevokeDialog>
    </Section>
  )
}

function NewPasskey({ onDone }: { onDone: () => void }): ReactNode {
  const [name, setName] = useState('')
  const addition = useAccountChange(addPasskey)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    addition.mutate(name.trim(), { onSuccess: onDone })
  }
  return (
    <form className="settings-dialog" onSubmit={submit}>
      <TextInput
        label="Name"
        description="Of the device or the password manager that keeps it."
        required
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {addition.error !== null && (
        <p className="failure" role="alert">
          {describePasskeyError(addition.error)}
        </p>
      )}
      <div className="settings-dialog-end">
        <Button type="submit" loading={addition.isPending} disabled={name.trim() === ''}>
          Create passkey
        </Button>
      </div>
    </form>
  )
}

const columnsOf = (onRemove: (passkey: Passkey) => void): readonly Column<Passkey>[] => [
  { key: 'name', title: 'Name', render: ({ name }) => name },
  { key: 'created', title: 'Created', render: ({ created_at: at }) => <Instant at={at} /> },
  {
    key: 'used',
    title: 'Last used',
    render: ({ last_used_at: at }) => (at === null ? 'Never' : <Instant at={at} isRelative />),
  },
  {
    key: 'remove',
    title: 'Actions',
    width: '6rem',
    render: (passkey) => (
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`Remove ${passkey.name}`}
        onClick={() => onRemove(passkey)}
      >
        Remove
      </Button>
    ),
  },
]

import { Button, TextInput } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useId, useState } from 'react'
import { unwrapResponse } from '../../../api/client.ts'
import { useEnvironment } from '../../../api/environment.ts'
import { CopyButton } from '../../../components/copy-button.tsx'
import { Dialog } from '../../../components/dialog.tsx'
import { Failure } from '../../../components/failure.tsx'
import { Instant } from '../../../components/instant.tsx'
import { Section } from '../../../components/page.tsx'
import { addressesQuery } from './import-queries.ts'

/** Addresses at which the app Health Auto Export sends data of the person. */
export function Addresses({ userId }: { userId: string }): ReactNode {
  const environment = useEnvironment()
  const { data: addresses, error, refetch } = useQuery(addressesQuery(environment, userId))
  const [isMaking, setMaking] = useState(false)
  return (
    <Section
      title="Addresses for Health Auto Export"
      description="An automation of the app, of the type REST API with the format JSON, sends data of the person to its address."
      actions={
        <Button variant="outline" onClick={() => setMaking(true)}>
          Create address
        </Button>
      }
    >
      {error !== null && <Failure error={error} onRetry={refetch} />}
      {addresses?.length === 0 && <p className="quiet">There is no address yet.</p>}
      <ul className="imports">
        {addresses?.map((address) => (
          <li key={address.id}>
            <strong>{address.label}</strong>
            <code>{address.masked_value}</code>
            <span className="quiet">
              Last used: <Instant at={address.last_used_at} isRelative />
            </span>
            <Revoke userId={userId} id={address.id} label={address.label} />
          </li>
        ))}
      </ul>
      <NewAddress userId={userId} isOpen={isMaking} onClose={() => setMaking(false)} />
    </Section>
  )
}

function useAddressChange<Input, Output>(
  userId: string,
  change: (input: Input) => Promise<Output>,
) {
  const environment = useEnvironment()
  const queries = useQueryClient()
  const { queryKey } = addressesQuery(environment, userId)
  return useMutation({
    mutationFn: change,
    onSuccess: () => queries.invalidateQueries({ queryKey }),
  })
}

interface RevokeProps {
  userId: string
  id: string
  label: string
}

function Revoke({ userId, id, label }: RevokeProps): ReactNode {
  const { team } = useEnvironment()
  const [isAsking, setAsking] = useState(false)
  const revoking = useAddressChange(userId, () => {
    const params = { path: { user_id: userId, address_id: id } }
    return unwrapResponse(
      team.DELETE('/v2/user/{user_id}/import_addresses/{address_id}', { params }),
    )
  })
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={`Revoke ${label}`}
        onClick={() => setAsking(true)}
      >
        Revoke
      </Button>
      <Dialog
        title="Revoke the address?"
        isOpen={isAsking}
        onClose={() => setAsking(false)}
        actions={
          <>
            <Button variant="subtle" onClick={() => setAsking(false)}>
              Keep address
            </Button>
            <Button loading={revoking.isPending} onClick={() => revoking.mutate(undefined)}>
              Revoke address
            </Button>
          </>
        }
      >
        <p>The app can send nothing to “{label}” any more. What it sent before stays.</p>
        {revoking.error !== null && <Failure error={revoking.error} />}
      </Dialog>
    </>
  )
}

interface NewAddressProps {
  userId: string
  isOpen: boolean
  onClose: () => void
}

function NewAddress({ userId, isOpen, onClose }: NewAddressProps): ReactNode {
  const { team } = useEnvironment()
  const formId = useId()
  const [label, setLabel] = useState('')
  const making = useAddressChange(userId, (name: string) => {
    const params = { path: { user_id: userId } }
    const body = name === '' ? {} : { label: name }
    return unwrapResponse(team.POST('/v2/user/{user_id}/import_addresses', { params, body }))
  })
  const close = (): void => {
    making.reset()
    setLabel('')
    onClose()
  }
  const made = making.data
  return (
    <Dialog
      title="Address for Health Auto Export"
      isOpen={isOpen}
      onClose={close}
      actions={
        made === undefined ? (
          <Button type="submit" form={formId} loading={making.isPending}>
            Create address
          </Button>
        ) : (
          <CopyButton value={made.url}>Copy address</CopyButton>
        )
      }
    >
      <form
        id={formId}
        className="imports-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (made === undefined) making.mutate(label.trim())
        }}
      >
        <p>
          Whoever has the address can send data of the person, and read nothing. Give it only to the
          person.
        </p>
        {made === undefined ? (
          <TextInput
            label="Label"
            description="Such as the phone that uses it. Do not use personal data."
            maxLength={100}
            value={label}
            onChange={({ currentTarget }) => setLabel(currentTarget.value)}
          />
        ) : (
          <>
            <TextInput
              label="Address"
              value={made.url}
              readOnly
              onFocus={({ target }) => target.select()}
            />
            <p className="quiet">It is shown only once, and is valid until it is revoked.</p>
          </>
        )}
        {making.error !== null && <Failure error={making.error} />}
      </form>
    </Dialog>
  )
}

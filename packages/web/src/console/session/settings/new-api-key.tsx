import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useEnvironment } from '../../api/environment.ts'
import type { components } from '../../api/openapi.generated.d.ts'
import { type Permission, usePermission, useSession } from '../../api/session.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'

type ApiKey = components['schemas']['TeamApiKey']

/** Fields of a new key; the day is empty for one that does not expire. */
export interface WantedKey {
  label: string
  expiresOn: string
  access: 'read' | 'write'
  /** Null means every permission. */
  scopes: Permission[] | null
}

interface NewApiKeyProps {
  isOpen: boolean
  onClose: () => void
  create: (wanted: WantedKey) => Promise<ApiKey>
  onMade: (key: ApiKey) => void
}

/** Creates a key with no more permissions than the role of its creator has. */
export function NewApiKey({ isOpen, onClose, ...form }: NewApiKeyProps): ReactNode {
  const { env } = useEnvironment()
  return (
    <Dialog title={`New API key of the ${env}`} isOpen={isOpen} onClose={onClose}>
      <KeyForm {...form} onClose={onClose} />
    </Dialog>
  )
}

/** Resources that the API of a team has. */
const RESOURCES = {
  people: 'People',
  demographics: 'Names, addresses, insurance',
  connections: 'Connections',
  health: 'Health data',
  orders: 'Orders and appointments',
  results: 'Results and reports',
  catalog: 'Laboratory catalog',
  queries: 'Tables of queries',
  webhooks: 'Missing events',
  rights: 'Exports and erasures',
  settings: 'Clock of the sandbox',
} as const

type Resource = keyof typeof RESOURCES
type Chosen = Partial<Record<Resource, 'read' | 'write'>>

const ACCESS = {
  all: 'Everything',
  read: 'Read only',
  chosen: 'Only chosen permissions',
} as const

const scopesOf = (chosen: Chosen): Permission[] =>
  Object.entries(chosen).map(([resource, action]) => `${resource}:${action}` as Permission)

function KeyForm({ onClose, create, onMade }: Omit<NewApiKeyProps, 'isOpen'>): ReactNode {
  const mayAll = usePermission('keys:write', 'health:write', 'orders:write', 'rights:write')
  const [label, setLabel] = useState('')
  const [expiresOn, setExpiresOn] = useState('')
  const [access, setAccess] = useState<keyof typeof ACCESS>(mayAll ? 'all' : 'chosen')
  const [chosen, setChosen] = useState<Chosen>({})
  const scopes = access === 'chosen' ? scopesOf(chosen) : null
  const creation = useMutation({
    mutationFn: () => {
      const limit = access === 'read' ? ('read' as const) : ('write' as const)
      return create({ label: label.trim(), expiresOn, access: limit, scopes })
    },
    onSuccess: (made) => {
      onClose()
      onMade(made)
    },
  })
  return (
    <form
      className="settings-dialog"
      onSubmit={(event) => {
        event.preventDefault()
        creation.mutate()
      }}
    >
      <TextInput
        label="Label"
        description="The software that uses the key, so that you know later which one to revoke."
        required
        maxLength={80}
        autoComplete="off"
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <NativeSelect
        label="Access"
        description="What the key may do. A key for one purpose should have no more than that needs."
        value={access}
        onChange={({ currentTarget }) => setAccess(currentTarget.value as keyof typeof ACCESS)}
        data={Object.entries(ACCESS)
          .filter(([value]) => mayAll || value === 'chosen')
          .map(([value, words]) => ({ value, label: words }))}
      />
      {access === 'chosen' && <Permissions chosen={chosen} onChange={setChosen} />}
      <TextInput
        label="Expires on"
        description="The key is refused from the beginning of this day. Without a date it works until it is revoked."
        type="date"
        value={expiresOn}
        onChange={({ currentTarget }) => setExpiresOn(currentTarget.value)}
      />
      {creation.error !== null && <Failure error={creation.error} />}
      <div className="settings-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={creation.isPending}
          disabled={label.trim() === '' || scopes?.length === 0}
        >
          Create key
        </Button>
      </div>
    </form>
  )
}

/** One choice for each resource that the role of the user includes. */
function Permissions(props: { chosen: Chosen; onChange: (chosen: Chosen) => void }): ReactNode {
  const { chosen, onChange } = props
  const { permissions } = useSession()
  const choose = (resource: Resource, action: string): void => {
    const { [resource]: _, ...rest } = chosen
    onChange(action === '' ? rest : { ...rest, [resource]: action as 'read' | 'write' })
  }
  return (
    <fieldset className="settings-permissions">
      <legend>Permissions</legend>
      {(Object.keys(RESOURCES) as Resource[])
        .filter((resource) => permissions.includes(`${resource}:read`))
        .map((resource) => (
          <NativeSelect
            key={resource}
            className="settings-permission"
            size="xs"
            label={RESOURCES[resource]}
            value={chosen[resource] ?? ''}
            onChange={({ currentTarget }) => choose(resource, currentTarget.value)}
            data={[
              { value: '', label: 'None' },
              { value: 'read', label: 'Read' },
              ...(permissions.includes(`${resource}:write`)
                ? [{ value: 'write', label: 'Read and write' }]
                : []),
            ]}
          />
        ))}
    </fieldset>
  )
}

import { Button, TextInput } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { useSession } from '../../api/session.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { isComplete, RoleFields, startingRights, toRequest } from './role-fields.tsx'

/** Keys belong to the organization, so the list is the same in every environment. */
export const managementKeysKey = (orgId: string) => ['management keys', orgId]

interface NewManagementKeyProps {
  isOpen: boolean
  onClose: () => void
  onMade: (key: { label: string; key: string }) => void
}

/** Creates a key whose role is not stronger than that of its creator. */
export function NewManagementKey({ isOpen, onClose, onMade }: NewManagementKeyProps): ReactNode {
  return (
    <Dialog title="New management key" isOpen={isOpen} onClose={onClose}>
      <KeyForm onClose={onClose} onMade={onMade} />
    </Dialog>
  )
}

function KeyForm({ onClose, onMade }: Omit<NewManagementKeyProps, 'isOpen'>): ReactNode {
  const session = useSession()
  const { organization } = session
  const queryClient = useQueryClient()
  const [label, setLabel] = useState('')
  const [rights, setRights] = useState(() => startingRights(session))
  const creation = useMutation({
    mutationFn: () =>
      unwrapResponse(
        management.POST('/v1/org/{org_id}/management_key', {
          params: { path: { org_id: organization.id } },
          body: { label: label.trim(), ...toRequest(rights) },
        }),
      ),
    onSuccess: (made) => {
      queryClient.invalidateQueries({ queryKey: managementKeysKey(organization.id) })
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
        description="The person or program that uses the key."
        required
        maxLength={80}
        autoComplete="off"
        value={label}
        onChange={({ currentTarget }) => setLabel(currentTarget.value)}
      />
      <RoleFields rights={rights} onChange={setRights} />
      {creation.error !== null && <Failure error={creation.error} />}
      <div className="settings-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button
          type="submit"
          loading={creation.isPending}
          disabled={label.trim() === '' || !isComplete(rights)}
        >
          Create key
        </Button>
      </div>
    </form>
  )
}

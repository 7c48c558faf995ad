import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { isComplete, RoleFields, startingRights, toRequest } from './role-fields.tsx'
import { type Invitation, userRequests, useUserChange } from './user-queries.ts'

interface InviteDialogProps {
  isOpen: boolean
  onClose: () => void
  onInvited: (invitation: Invitation) => void
}

/** Invites a user, whose role is not stronger than that of the inviting one. */
export function InviteDialog({ isOpen, onClose, onInvited }: InviteDialogProps): ReactNode {
  return (
    <Dialog title="Invite user" isOpen={isOpen} onClose={onClose}>
      <InviteForm onClose={onClose} onInvited={onInvited} />
    </Dialog>
  )
}

function InviteForm({ onClose, onInvited }: Omit<InviteDialogProps, 'isOpen'>): ReactNode {
  const session = useSession()
  const orgId = session.organization.id
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [rights, setRights] = useState(() => startingRights(session))
  const invitation = useUserChange(orgId, userRequests(orgId).invite)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    invitation.mutate(
      { name: name.trim(), email: email.trim(), ...toRequest(rights) },
      {
        onSuccess: (made) => {
          onClose()
          onInvited(made)
        },
      },
    )
  }
  return (
    <form className="settings-dialog" onSubmit={submit}>
      <TextInput
        label="Name"
        description="As the audit log shows it."
        required
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        label="E-mail address"
        type="email"
        required
        maxLength={254}
        autoComplete="off"
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <RoleFields rights={rights} onChange={setRights} />
      {invitation.error !== null && <Failure error={invitation.error} />}
      <div className="settings-dialog-end">
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" loading={invitation.isPending} disabled={!isComplete(rights)}>
          Create invitation
        </Button>
      </div>
    </form>
  )
}

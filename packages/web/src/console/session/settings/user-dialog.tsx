import { Button, TextInput } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { type FormEvent, type ReactNode, useState } from 'react'
import { useSession } from '../../api/session.ts'
import { teamsQuery } from '../../api/teams.ts'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { ConsoleSessions } from './console-sessions.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { isComplete, RoleFields, toRequest, toRights } from './role-fields.tsx'
import {
  type Invitation,
  type OrganizationUser,
  userRequests,
  useUserChange,
} from './user-queries.ts'

interface UserDialogProps {
  /** The user; undefined while the dialog is closed. */
  user: OrganizationUser | undefined
  onClose: () => void
  onInvited: (invitation: Invitation) => void
}

/** Changes a user: name and rights, access, links, second factors and sessions. */
export function UserDialog({ user, onClose, onInvited }: UserDialogProps): ReactNode {
  return (
    <Dialog title={user?.name ?? ''} isOpen={user !== undefined} onClose={onClose}>
      {user !== undefined && <UserParts user={user} onClose={onClose} onInvited={onInvited} />}
    </Dialog>
  )
}

type Parts = Omit<UserDialogProps, 'user'> & { user: OrganizationUser }

function UserParts({ user, onClose, onInvited }: Parts): ReactNode {
  const { user: own } = useSession()
  const isOwn = own?.id === user.id
  return (
    <div className="settings-dialog">
      <RightsForm user={user} isOwn={isOwn} />
      {isOwn ? (
        <p className="quiet">
          Another administrator changes your role and access. Password and second factors are under
          your account.
        </p>
      ) : (
        <Access user={user} onClose={onClose} onInvited={onInvited} />
      )}
      <ConsoleSessions keyId={user.management_key_id} />
    </div>
  )
}

function RightsForm({ user, isOwn }: { user: OrganizationUser; isOwn: boolean }): ReactNode {
  const { organization } = useSession()
  const [name, setName] = useState(user.name)
  const { data: teams } = useSuspenseQuery(teamsQuery(organization.id))
  const [rights, setRights] = useState(() => toRights(user, teams))
  const change = useUserChange(organization.id, userRequests(organization.id).update)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    change.mutate({ id: user.id, name: name.trim(), ...(isOwn ? {} : toRequest(rights)) })
  }
  return (
    <form className="settings-dialog" onSubmit={submit}>
      <p className="quiet">{user.email}</p>
      <TextInput
        label="Name"
        required
        maxLength={80}
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      {!isOwn && <RoleFields rights={rights} onChange={setRights} />}
      {change.error !== null && <Failure error={change.error} />}
      <div className="settings-dialog-end">
        {change.isSuccess && <span role="status">Saved.</span>}
        <Button
          type="submit"
          loading={change.isPending}
          disabled={name.trim() === '' || !isComplete(rights)}
        >
          Save
        </Button>
      </div>
    </form>
  )
}

function Access({ user, onClose, onInvited }: Parts): ReactNode {
  const { organization } = useSession()
  const requests = userRequests(organization.id)
  const link = useUserChange(organization.id, requests.makeLink)
  const revocation = useUserChange(organization.id, requests.revokeLink)
  const update = useUserChange(organization.id, requests.update)
  const reset = useUserChange(organization.id, requests.resetFactors)
  const removal = useUserChange(organization.id, requests.remove)
  const [asked, setAsked] = useState<'remove' | 'reset'>()
  const { id, status, name } = user
  const isSuspended = status === 'suspended'
  const hasFactors = user.has_totp || user.passkeys > 0
  const failure = link.error ?? revocation.error ?? update.error
  return (
    <>
      <div className="settings-form-end">
        {!isSuspended && (
          <Button
            variant="default"
            loading={link.isPending}
            onClick={() => link.mutate(id, { onSuccess: onInvited })}
          >
            {status === 'invited' ? 'New invitation link' : 'Link for a new password'}
          </Button>
        )}
        {user.invitation_expires_at !== null && (
          <Button variant="default" onClick={() => revocation.mutate(id)}>
            Revoke link
          </Button>
        )}
        {hasFactors && (
          <Button variant="default" onClick={() => setAsked('reset')}>
            Remove second factors
          </Button>
        )}
        <Button
          variant="default"
          loading={update.isPending}
          onClick={() => update.mutate({ id, status: isSuspended ? 'active' : 'suspended' })}
        >
          {isSuspended ? 'Make active' : 'Suspend'}
        </Button>
        <Button variant="default" onClick={() => setAsked('remove')}>
          Remove user
        </Button>
      </div>
      {failure !== null && <Failure error={failure} />}
      <RevokeDialog
        item={asked === 'reset' ? id : undefined}
        title={`Remove the second factors of ${name}?`}
        action="Remove second factors"
        onRevoke={reset.mutateAsync}
        onClose={() => setAsked(undefined)}
      >
        Authenticator app, recovery codes and passkeys stop working, and the sessions end. Do this
        only after you have made sure that it is {name} who asks.
      </RevokeDialog>
      <RevokeDialog
        item={asked === 'remove' ? id : undefined}
        title={`Remove ${name}?`}
        action="Remove user"
        onRevoke={async (userId) => {
          await removal.mutateAsync(userId)
          onClose()
        }}
        onClose={() => setAsked(undefined)}
      >
        The sessions end at once. The audit log keeps the name.
      </RevokeDialog>
    </>
  )
}

import { Button, TextInput } from '@mantine/core'
import { type FormEvent, type ReactNode, useState } from 'react'
import { management, unwrapResponse } from '../../api/client.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { Dialog } from '../../components/dialog.tsx'
import { Failure } from '../../components/failure.tsx'
import { Section } from '../../components/page.tsx'
import { RevokeDialog } from '../settings/revoke-dialog.tsx'
import { type Account, useAccountChange } from './account-queries.ts'
import { QrCode } from './qr-code.tsx'

const begin = () => unwrapResponse(management.POST('/v1/console/user/totp'))
const confirm = (code: string) =>
  unwrapResponse(management.POST('/v1/console/user/totp/confirm', { body: { code } }))
const renew = () => unwrapResponse(management.POST('/v1/console/user/recovery_codes'))
const remove = () => unwrapResponse(management.DELETE('/v1/console/user/totp'))

/** Sets up an authenticator app, and its recovery codes. */
export function AuthenticatorApp({ account }: { account: Account }): ReactNode {
  const { has_totp: hasApp } = account.user
  const [secret, setSecret] = useState<{ secret: string; uri: string }>()
  const [codes, setCodes] = useState<string[]>()
  const [isRemoving, setRemoving] = useState(false)
  const beginning = useAccountChange(begin)
  const renewal = useAccountChange(renew)
  const removal = useAccountChange(remove)
  const failure = beginning.error ?? renewal.error
  return (
    <Section
      title="Authenticator app"
      description={
        hasApp
          ? `Signing in with the password needs a code of the app. ${account.recovery_codes_left} recovery codes are left.`
          : 'An app on your phone shows a code, which signing in with the password then needs.'
      }
      actions={
        hasApp ? (
          <>
            <Button
              variant="subtle"
              loading={renewal.isPending}
              onClick={() =>
                renewal.mutate(undefined, { onSuccess: (made) => setCodes(made.recovery_codes) })
              }
            >
              New recovery codes
            </Button>
            <Button variant="subtle" onClick={() => setRemoving(true)}>
              Remove app
            </Button>
          </>
        ) : (
          <Button
            loading={beginning.isPending}
            onClick={() => beginning.mutate(undefined, { onSuccess: setSecret })}
          >
            Set up app
          </Button>
        )
      }
    >
      {failure !== null && <Failure error={failure} />}
      <Dialog
        title="Set up an authenticator app"
        isOpen={secret !== undefined}
        onClose={() => setSecret(undefined)}
      >
        {secret !== undefined && (
          <SetUp
            secret={secret}
            onDone={(made) => {
              setSecret(undefined)
              setCodes(made)
            }}
          />
        )}
      </Dialog>
      <RecoveryCodes codes={codes} onClose={() => setCodes(undefined)} />
      <RevokeDialog
        item={isRemoving || undefined}
        title="Remove the authenticator app?"
        action="Remove app"
        onRevoke={() => removal.mutateAsync(undefined)}
        onClose={() => setRemoving(false)}
      >
        Its codes and the recovery codes stop working.
      </RevokeDialog>
    </Section>
  )
}

interface SetUpProps {
  secret: { secret: string; uri: string }
  onDone: (recoveryCodes: string[]) => void
}

function SetUp({ secret, onDone }: SetUpProps): ReactNode {
  const [code, setCode] = useState('')
  const confirmation = useAccountChange(confirm)
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    confirmation.mutate(code.trim(), { onSuccess: (made) => onDone(made.recovery_codes) })
  }
  return (
    <form className="settings-dialog" onSubmit={submit}>
      <p>Scan this code with the app, or type the secret into it.</p>
      <QrCode text={secret.uri} label="QR code of the secret" />
      <div className="settings-secret">
        <code>{secret.secret}</code>
        <CopyButton variant="subtle" value={secret.secret} />
      </div>
      <TextInput
        label="Code"
        description="The six digits that the app shows now."
        required
        inputMode="numeric"
        autoComplete="one-time-code"
        value={code}
        onChange={({ currentTarget }) => setCode(currentTarget.value)}
      />
      {confirmation.error !== null && <Failure error={confirmation.error} />}
      <div className="settings-dialog-end">
        <Button type="submit" loading={confirmation.isPending}>
          Turn on
        </Button>
      </div>
    </form>
  )
}

function RecoveryCodes({
  codes,
  onClose,
}: {
  codes: string[] | undefined
  onClose: () => void
}): ReactNode {
  return (
    <Dialog
      title="Recovery codes"
      isOpen={codes !== undefined}
      onClose={onClose}
      actions={<Button onClick={onClose}>I have saved them</Button>}
    >
      <div className="settings-dialog">
        <p>Each of them signs you in once without the app. They are shown only now.</p>
        <ul className="account-codes">
          {codes?.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <div>
          <CopyButton variant="subtle" value={codes?.join('\n') ?? ''}>
            Copy all
          </CopyButton>
        </div>
      </div>
    </Dialog>
  )
}

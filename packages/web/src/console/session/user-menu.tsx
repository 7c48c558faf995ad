import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { IconLogout } from '../components/icons.tsx'
import { useSignOut } from './sign-out.ts'

/** Shows the signed-in key, and signs out. */
export function UserMenu(): ReactNode {
  const { key } = useSession()
  const signOut = useSignOut()
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
      title={`Signed in as “${key.label}”`}
      onClick={signOut}
    >
      Sign out
    </Button>
  )
}

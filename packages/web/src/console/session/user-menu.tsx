import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { useSession } from '../api/session.ts'
import { IconLogout, IconUser } from '../components/icons.tsx'
import { useSignOut } from './sign-out.ts'

/** Leads to the account of the signed-in user, and signs out. */
export function UserMenu(): ReactNode {
  const { key, user } = useSession()
  const signOut = useSignOut()
  return (
    <>
      {user !== null && (
        <Link to="/account" className="frame-link">
          <IconUser size={18} stroke={1.6} aria-hidden />
          {user.name}
        </Link>
      )}
      <Button
        variant="subtle"
        size="compact-sm"
        leftSection={<IconLogout size={18} stroke={1.6} aria-hidden />}
        title={`Signed in as “${key.label}”`}
        onClick={signOut}
      >
        Sign out
      </Button>
    </>
  )
}

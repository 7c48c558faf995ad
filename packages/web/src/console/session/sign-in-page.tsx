import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function SignInPage(): ReactNode {
  return <Page title="Sign in">{null}</Page>
}

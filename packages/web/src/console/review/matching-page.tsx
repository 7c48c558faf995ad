import type { ReactNode } from 'react'
import { Page } from '../components/page.tsx'

export function MatchingPage(): ReactNode {
  return <Page title="Result review">{null}</Page>
}

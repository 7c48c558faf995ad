import { Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { LAB_ACCOUNT_STATUSES, LabAccount } from '../lab-catalog.schema.ts'

export const LabAccountsQuery = Type.Object({
  lab_account_id: Type.Optional(Uuid),
  status: Type.Optional(
    Type.String({
      description: `One of ${LAB_ACCOUNT_STATUSES.join(', ')}, in upper or lower case.`,
    }),
  ),
})
export type LabAccountsQuery = Type.Static<typeof LabAccountsQuery>

export const LabAccountList = Type.Object({ data: Type.Array(LabAccount) })
export type LabAccountList = Type.Static<typeof LabAccountList>

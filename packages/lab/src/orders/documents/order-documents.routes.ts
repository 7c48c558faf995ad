import { DateTimeInput, TextEnum, Uuid } from '@salus/contracts/schema-types'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import type { App } from '@salus/kernel/http/app-types'
import { PDF_RESPONSE, sendPdf } from '@salus/kernel/http/pdf'
import Type from 'typebox'
import { ABN_REASONS } from '../../documents/index.ts'
import {
  getAbnPdf,
  getInstructionsPdf,
  getLabelsPdf,
  getLabTestInstructionsPdf,
  getRequisitionPdf,
  MOST_LABELS,
} from './order-documents.service.ts'

const tags = ['Documents']
const params = Type.Object({ order_id: Uuid })

const LabelsQuery = Type.Object({
  number_of_labels: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: MOST_LABELS,
      description:
        'Number of labels to print; by default 3, or one for each kind of specimen when there are more.',
    }),
  ),
  collection_date: DateTimeInput,
})

const RequisitionQuery = Type.Object({
  collection_date: Type.Optional(
    Type.String({
      format: 'instant',
      description:
        'Time of collection with its offset. Without it the requisition has blanks for it, or, for a walk-in, says that the service center collects.',
    }),
  ),
  order_record: Type.Boolean({
    default: false,
    description: 'Whether the requisition also has the order as PDF417 symbols.',
  }),
})

const AbnQuery = Type.Object({
  marker_ids: Type.Optional(
    Type.Array(Type.Integer(), {
      minItems: 1,
      maxItems: 100,
      description: 'Ids of the ordered markers whose coverage is limited; all of them by default.',
    }),
  ),
  reason: Type.Optional(
    TextEnum(ABN_REASONS, {
      description: 'Reason for which the coverage is limited; by default the diagnosis.',
    }),
  ),
})

/** Registers the routes for documents of orders, which are rendered on request. */
export function registerOrderDocumentRoutes(app: App, secrets: SecretBox): void {
  app.get(
    '/v3/order/:order_id/requisition/pdf',
    {
      schema: {
        operationId: 'getOrderRequisition',
        tags,
        summary: 'Read the requisition of an order',
        description: 'Returns the requisition, which the patient takes to the laboratory.',
        params,
        querystring: RequisitionQuery,
        response: PDF_RESPONSE,
      },
    },
    async ({ scope, params: { order_id: id }, query }, reply) => {
      const { collection_date: collectionDate, order_record: hasOrderRecord } = query
      const options = { collectionDate, hasOrderRecord }
      return sendPdf(reply, await getRequisitionPdf(scope, secrets, id, options))
    },
  )
  app.get(
    '/v3/order/:order_id/abn_pdf',
    {
      schema: {
        operationId: 'getOrderAbn',
        tags,
        summary: 'Read the advance beneficiary notice of an order',
        description:
          'Returns the notice for the patient to sign, on form CMS-R-131 when Medicare pays first. Answers 404 when the order needs none.',
        params,
        querystring: AbnQuery,
        response: PDF_RESPONSE,
      },
    },
    async ({ scope, params: { order_id: id }, query }, reply) => {
      const options = { markerIds: query.marker_ids ?? null, reason: query.reason ?? null }
      return sendPdf(reply, await getAbnPdf(scope, id, options))
    },
  )
  registerCollectionDocuments(app)
  registerLabTestInstructions(app)
}

function registerCollectionDocuments(app: App): void {
  app.get(
    '/v3/order/:order_id/collection_instruction_pdf',
    {
      schema: {
        operationId: 'getOrderCollectionInstructions',
        tags,
        summary: 'Read the collection instructions of an order',
        description: 'Returns instructions for collecting the samples of the order.',
        params,
        response: PDF_RESPONSE,
      },
    },
    async ({ scope, params: { order_id: id } }, reply) =>
      sendPdf(reply, await getInstructionsPdf(scope, id)),
  )

  app.get(
    '/v3/order/:order_id/labels/pdf',
    {
      schema: {
        operationId: 'getOrderLabels',
        tags,
        summary: 'Read the tube labels of an order',
        description: 'Returns labels for the tubes of an on-site collection.',
        params,
        querystring: LabelsQuery,
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) => {
      const { number_of_labels: numberOfLabels, collection_date: collectionDate } = request.query
      const options = { numberOfLabels, collectionDate }
      return sendPdf(reply, await getLabelsPdf(request.scope, request.params.order_id, options))
    },
  )
}

function registerLabTestInstructions(app: App): void {
  app.get(
    '/v3/lab_test/:lab_test_id/collection_instruction_pdf',
    {
      schema: {
        operationId: 'getLabTestCollectionInstructions',
        tags,
        summary: 'Read the collection instructions of a lab test',
        description: 'Returns instructions for collecting the samples of the lab test.',
        params: Type.Object({ lab_test_id: Uuid }),
        response: PDF_RESPONSE,
      },
    },
    async (request, reply) =>
      sendPdf(reply, await getLabTestInstructionsPdf(request.scope, request.params.lab_test_id)),
  )
}

-- Messages of one gateway, newest first, for the operator of a laboratory connection
create index lab_messages_by_gateway on lab_messages (environment_id, gateway, id desc);

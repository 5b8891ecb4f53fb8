-- Where the value of a variable comes from, the way to its declaration, and a finding in a
-- variables file.
local common = dofile(vim.env.SCRIPTS .. '/neovim-common.lua')
local say, wait = common.say, common.wait

local function hover(line, column)
  local answers = vim.lsp.buf_request_sync(0, 'textDocument/hover', common.position(line, column), 120000)
  for _, r in pairs(answers or {}) do
    return r.result and r.result.contents.value
  end
end

common.run(function()
  vim.fn.writefile({ 'variable "stage" {', '  default = "dev"', '}', 'output "o" {', '  value = var.stage', '}' }, 'main.tf')
  vim.fn.writefile({ 'variable "stage" {', '  default = "local"', '}' }, 'local_override.tf')
  vim.fn.writefile({ 'stage = "qa"' }, 'terraform.tfvars')
  dofile(vim.env.RECIPE)
  vim.cmd('edit main.tf')
  local client = common.client()
  say('declaration: %s', hover(1, 11))
  say('reference: %s', hover(5, 14))
  vim.cmd('edit terraform.tfvars')
  say('key: %s', hover(1, 2))
  vim.lsp.buf.definition()
  wait('definition', function() return vim.fn.expand('%:t') == 'main.tf' end)
  say('definition: %s:%d', vim.fn.expand('%:t'), vim.api.nvim_win_get_cursor(0)[1])

  vim.cmd('edit terraform.tfvars')
  vim.api.nvim_buf_set_text(0, 0, 5, 0, 5, { 's' })
  wait('finding', function() return common.diagnostics('terraform.tfvars') ~= '' end)
  say('finding: %s', common.diagnostics('terraform.tfvars'))
  vim.lsp.stop_client(client.id)
  wait('end of the server', function() return client.is_stopped() end)
end)

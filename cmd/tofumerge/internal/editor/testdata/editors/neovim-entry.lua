-- Starts the server by the entry for nvim-lspconfig, and runs a lens.
local common = dofile(vim.env.SCRIPTS .. '/neovim-common.lua')
local say, wait = common.say, common.wait
local directory = vim.env.ENTRIES .. '/neovim'

common.run(function()
  if vim.lsp.config then
    vim.opt.runtimepath:prepend(directory)
    dofile(vim.env.RECIPE)
  else -- nvim-lspconfig itself starts what the entry describes
    local entry = dofile(directory .. '/lsp/tofumerge.lua')
    entry.name, entry.root_dir = 'tofumerge', vim.fn.getcwd()
    vim.api.nvim_create_autocmd('FileType', {
      pattern = entry.filetypes,
      callback = function(about) vim.lsp.buf_attach_client(about.buf, vim.lsp.start_client(entry)) end,
    })
  end
  vim.cmd('filetype on')
  vim.cmd('edit main.tf')
  local client = common.client()
  say('started: %s', client.name)

  local lenses
  wait('lenses', function()
    vim.lsp.codelens.refresh(vim.lsp.config and { bufnr = 0 } or nil)
    vim.wait(300)
    lenses = vim.lsp.codelens.get(vim.fn.has('nvim-0.12') == 1 and { bufnr = 0 } or 0)
    return #lenses > 0
  end)
  vim.api.nvim_win_set_cursor(0, { 1, 0 })
  vim.lsp.codelens.run()
  wait('list of overrides', function() return vim.bo.buftype == 'quickfix' end)
  for _, place in ipairs(vim.fn.getqflist()) do
    say('override: %s:%d', vim.fn.fnamemodify(vim.fn.bufname(place.bufnr), ':t'), place.lnum)
  end
end)

-- What the scripts for Neovim share. Each uses tofumerge lsp as a person does, and notes what
-- Neovim shows. It runs in the directory of the module, with the setup in the file $RECIPE.
local common = {}

local out = {}

function common.say(format, ...) table.insert(out, string.format(format, ...)) end

function common.wait(what, done)
  if not vim.wait(120000, done, 10) then
    error('no ' .. what)
  end
end

-- Ends the test without a failure: this Neovim lacks something.
function common.lacks(what)
  out = { 'no ' .. what }
  error('skip')
end

-- All lines of the buffer.
function common.text() return table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n') end

-- diagnostics of a file, as LINE: MESSAGE.
function common.diagnostics(name)
  local lines = {}
  for _, d in ipairs(vim.diagnostic.get(vim.fn.bufnr(name))) do
    table.insert(lines, string.format('%d: %s', d.lnum + 1, d.message))
  end
  table.sort(lines)
  return table.concat(lines, '\n')
end

-- Puts the cursor on a line and a column.
function common.position(line, column)
  vim.api.nvim_win_set_cursor(0, { line, column })
  return vim.lsp.util.make_position_params(0, 'utf-16')
end

-- Waits for the server of the buffer.
function common.client()
  local client
  common.wait('attached client', function()
    client = vim.tbl_values((vim.lsp.get_clients or vim.lsp.buf_get_clients)())[1]
    return client ~= nil
  end)
  return client
end

-- Sets up the recipe, runs drive, and writes what was noted.
function common.run(drive)
  -- Before 0.10, people write vim.fn.getcwd() into the recipe.
  vim.fs = vim.fs or {}
  vim.fs.root = vim.fs.root or function() end

  local ok, err = pcall(drive)
  ok = ok or tostring(err):find('skip$') ~= nil
  if not ok then common.say('failed: %s', tostring(err)) end
  vim.fn.writefile(vim.split(table.concat(out, '\n'), '\n'), vim.env.RESULT)
  vim.cmd(ok and 'qall!' or 'cquit!')
end

return common
